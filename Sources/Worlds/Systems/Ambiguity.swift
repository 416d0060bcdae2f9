// SPDX-License-Identifier: Apache-2.0

/// Two systems that use the same components in an order that the schedule does not state.
///
/// They run in the order in which they were added. A program that relies on it should state it.
public struct Ambiguity: Hashable, Sendable {
    /// The system that runs first at present.
    public let first: String
    /// The system that runs later.
    public let second: String
    /// The components that one of them writes and the other one uses; empty if one is exclusive.
    public let components: [String]

    /// Makes a description of a pair, to compare reports with.
    public init(first: String, second: String, components: [String]) {
        self.first = first
        self.second = second
        self.components = components
    }
}

extension Ambiguity: CustomStringConvertible {
    /// The systems, and what both use.
    public var description: String {
        let what = components.isEmpty ? "the whole world" : components.joined(separator: ", ")
        return "\(first) and \(second) both use \(what), and have no order"
    }
}
