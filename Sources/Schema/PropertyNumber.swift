// SPDX-License-Identifier: Apache-2.0

/// The number that a store gave to a property or an index; never reused within the store.
@frozen
public struct PropertyNumber: RawRepresentable, Sendable, Hashable {
    /// The number as it is written to disk.
    public var rawValue: UInt32

    /// Makes a number of its stored form.
    @inlinable
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}
