// SPDX-License-Identifier: Apache-2.0

/// A range of keys, of whatever form.
public protocol KeyRange<Bound> {
    /// The type of the keys.
    associatedtype Bound: Comparable
    /// The limits of the range.
    @_documentation(visibility: internal)
    var __bounds: KeyBounds<Bound> { get }
}

/// The limits of a ``KeyRange``.
@_documentation(visibility: internal)
@frozen
public struct KeyBounds<Bound: Comparable> {
    /// The least key; nil for no limit.
    @usableFromInline let lower: Bound?
    /// The greatest key, or the first one beyond it; nil for no limit.
    @usableFromInline let upper: Bound?
    @usableFromInline let includesUpper: Bool

    @inlinable
    init(_ lower: Bound?, _ upper: Bound?, includesUpper: Bool) {
        self.lower = lower
        self.upper = upper
        self.includesUpper = includesUpper
    }
}

extension KeyBounds {
    /// One key.
    @inlinable
    init(_ key: Bound) { self.init(key, key, includesUpper: true) }

    /// Whether the limits are keys that equal themselves, as NaN does not.
    @inlinable var isOrdered: Bool {
        (lower.map { $0 == $0 } ?? true) && (upper.map { $0 == $0 } ?? true)
    }
}

extension Range: KeyRange {
    /// From the lower bound to in front of the upper one.
    @_documentation(visibility: internal)
    @inlinable public var __bounds: KeyBounds<Bound> {
        KeyBounds(lowerBound, upperBound, includesUpper: false)
    }
}

extension ClosedRange: KeyRange {
    /// From the lower bound to the upper one.
    @_documentation(visibility: internal)
    @inlinable public var __bounds: KeyBounds<Bound> {
        KeyBounds(lowerBound, upperBound, includesUpper: true)
    }
}

extension PartialRangeFrom: KeyRange {
    /// From the lower bound on.
    @_documentation(visibility: internal)
    @inlinable public var __bounds: KeyBounds<Bound> {
        KeyBounds(lowerBound, nil, includesUpper: false)
    }
}

extension PartialRangeUpTo: KeyRange {
    /// Up to in front of the upper bound.
    @_documentation(visibility: internal)
    @inlinable public var __bounds: KeyBounds<Bound> {
        KeyBounds(nil, upperBound, includesUpper: false)
    }
}

extension PartialRangeThrough: KeyRange {
    /// Up to the upper bound.
    @_documentation(visibility: internal)
    @inlinable public var __bounds: KeyBounds<Bound> {
        KeyBounds(nil, upperBound, includesUpper: true)
    }
}
