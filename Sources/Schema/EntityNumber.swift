// SPDX-License-Identifier: Apache-2.0

/// The number that a store gave to an entity; never reused within the store.
@frozen
public struct EntityNumber: RawRepresentable, Sendable, Hashable {
    /// The number as it is written to disk.
    public var rawValue: UInt16

    /// Makes a number of its stored form.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }
}
