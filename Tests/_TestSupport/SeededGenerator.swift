// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A repeatable source of random numbers.
///
/// A test names its own seed, so that it does the same each time; the environment variable
/// `LODE_SEED` replaces every seed, to search further or to repeat a failure. Put ``seed`` into
/// the text of each expectation.
///
/// ```swift
/// var random = SeededGenerator(seed: 1)
/// #expect(sum == 3, "seed \(random.seed)")
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The seed that the sequence began with.
    public let seed: UInt64
    private var numbers: SplitMix64

    /// Starts a sequence.
    ///
    /// - Parameter seed: The first state, unless `LODE_SEED` names another one.
    public init(seed: UInt64) {
        let wanted = ProcessInfo.processInfo.environment["LODE_SEED"].flatMap { UInt64($0) }
        self.seed = wanted ?? seed
        numbers = SplitMix64(state: self.seed)
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 { numbers.next() }

    /// Whether an event of a probability happens.
    public mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }

    /// A random element; traps for an empty collection.
    public mutating func pick<Elements: Collection>(_ elements: Elements) -> Elements.Element {
        guard let element = elements.randomElement(using: &self) else {
            preconditionFailure("no element to pick of an empty collection")
        }
        return element
    }

    /// Random bytes.
    public mutating func bytes(count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
