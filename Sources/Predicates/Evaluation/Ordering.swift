// SPDX-License-Identifier: Apache-2.0

/// How one value stands to another in an order.
@frozen
public enum Ordering: Int8, Sendable, Hashable {
    /// The first is smaller.
    case ascending = -1
    /// Neither is smaller.
    case same = 0
    /// The first is larger.
    case descending = 1

    /// The ordering of two comparable values.
    @inlinable
    public init<T: Comparable>(_ left: T, _ right: T) {
        self = left < right ? .ascending : left == right ? .same : .descending
    }

    /// The ordering with both sides exchanged.
    @inlinable
    public var reversed: Ordering {
        switch self {
        case .ascending: .descending
        case .same: .same
        case .descending: .ascending
        }
    }
}
