// SPDX-License-Identifier: Apache-2.0

/// The measured values of one engine in one workload, one a run.
public struct Samples: Sendable {
    /// The values, in the order of the runs.
    public private(set) var values: [Double] = []

    /// Makes an empty list.
    public init() {}

    /// Adds the value of one run.
    public mutating func add(_ value: Double) { values.append(value) }

    /// The middle value, or the mean of the two middle ones; NaN without values.
    public var median: Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The median, and in brackets the smallest and the largest value.
    ///
    /// - Parameter format: Writes a value.
    public func text(_ format: (Double) -> String) -> String {
        "\(format(median)) (\(format(least)) to \(format(greatest)))"
    }

    /// The smallest value; NaN without values.
    public var least: Double { values.min() ?? .nan }

    /// The largest value; NaN without values.
    public var greatest: Double { values.max() ?? .nan }
}
