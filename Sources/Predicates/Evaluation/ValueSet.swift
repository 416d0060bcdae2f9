// SPDX-License-Identifier: Apache-2.0

import Schema

/// The constants on the right of `IN`, for fast look-ups.
///
/// Membership is equality by the rules of predicates: numbers of different types can be equal,
/// and text is folded by the options.
public struct ValueSet: Sendable {
    private let values: [Value]
    private let keys: Set<Value>
    /// Whether the equality of some value cannot be decided by a key.
    private let needsScan: Bool
    private let options: ComparisonOptions

    /// Makes a set.
    public init(_ values: some Sequence<Value>, options: ComparisonOptions = []) {
        self.values = Array(values)
        self.options = options
        let keys = self.values.map { $0.membershipKey(options) }
        self.keys = Set(keys.compactMap(\.self))
        needsScan = keys.contains(nil)
    }

    /// Whether a value equals a member.
    ///
    /// - Complexity: O(1); O(*n*) when a decimal is involved that is fractional or large.
    public func contains(_ value: Value) -> Bool {
        if let key = value.membershipKey(options) {
            if keys.contains(key) { return true }
            if !needsScan { return false }
        }
        return values.contains { $0.predicateCompare(value, options) == .same }
    }
}

extension Value {
    /// A value that is identical for all values that are equal in predicates; `nil` where there
    /// is none: for decimals that equal doubles nearby, fractional or large, and for NaN.
    public func membershipKey(_ options: ComparisonOptions) -> Value? {
        switch self {
        case .string(let text), .uri(let text): return .string(TextFolding.fold(text, options))
        case .date(let seconds):
            return seconds.isNaN ? nil : .date(seconds == 0 ? 0 : seconds)
        default: break
        }
        switch Number(self) {
        case .integer(let value): return .integer64(value)
        case .double(let value):
            if let whole = Int64(exactly: value) { return .integer64(whole) }
            return value.isNaN ? nil : .double(value)
        case .decimal(let value):
            // A double has all integers up to 2^53.
            return value.exactInteger.flatMap {
                $0.magnitude <= 1 << 53 ? .integer64($0) : nil
            }
        case nil: return self
        }
    }
}
