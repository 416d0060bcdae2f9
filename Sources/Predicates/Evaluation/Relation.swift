// SPDX-License-Identifier: Apache-2.0

import Schema

/// An operator with its options, applied to two operands.
struct Relation {
    let `operator`: Operator
    let options: ComparisonOptions
    let matcher: Matcher
    /// For regular expressions; `nil` for one object by itself.
    let allowance: SearchAllowance?

    func holds(_ left: SubjectOperand, _ right: SubjectOperand) throws -> Bool {
        switch `operator` {
        case .equalTo: return equals(left, right)
        case .notEqualTo: return !equals(left, right)
        case .lessThan: return try order(left, right) == .ascending
        case .greaterThan: return try order(left, right) == .descending
        case .lessThanOrEqualTo:
            let order = try order(left, right)
            return order == .ascending || order == .same
        case .greaterThanOrEqualTo:
            let order = try order(left, right)
            return order == .descending || order == .same
        case .between: return try isBetween(left, right)
        case .in:
            if case .set(let set) = matcher {
                guard case .collection = left else {
                    return left.scalar.map { set.contains($0) } ?? false
                }
                return false
            }
            return try isMember(left, of: right)
        case .contains:
            if case .collection(let members) = left {
                return members.contains { equals($0, right) }
            }
            if case .subject(let subject) = left, let members = subject.predicateMembers {
                return members.contains { equals($0, right) }
            }
            return try textHolds(left, right)
        case .beginsWith, .endsWith, .like, .matches: return try textHolds(left, right)
        }
    }

    private func equals(_ left: SubjectOperand, _ right: SubjectOperand) -> Bool {
        left.equals(right, options)
    }

    private func order(_ left: SubjectOperand, _ right: SubjectOperand) throws -> Ordering? {
        for case .collection in [left, right] {
            throw mismatch("“\(`operator`.text)” does not order collections; use ANY or ALL")
        }
        guard let a = left.scalar, let b = right.scalar, !a.isNull, !b.isNull else { return nil }
        if let order = a.predicateCompare(b, options) { return order }
        guard a.isComparable(to: b) else {
            throw mismatch(
                "“\(`operator`.text)” does not order \(left.kind) and \(right.kind)")
        }
        return nil
    }

    private func isBetween(_ value: SubjectOperand, _ bounds: SubjectOperand) throws -> Bool {
        if case .bounds(let low, let high) = matcher {
            return try isBetween(value, .value(low), .value(high))
        }
        if bounds.isNull { return false }
        guard case .collection(let bounds) = bounds, bounds.count == 2 else {
            throw mismatch("BETWEEN needs two bounds such as {1, 5}, not \(bounds.kind)")
        }
        return try isBetween(value, bounds[0], bounds[1])
    }

    private func isBetween(
        _ value: SubjectOperand, _ low: SubjectOperand, _ high: SubjectOperand
    ) throws -> Bool {
        guard let first = try order(low, value), let second = try order(value, high) else {
            return false
        }
        return first != .descending && second != .descending
    }

    private func isMember(_ left: SubjectOperand, of right: SubjectOperand) throws -> Bool {
        switch right {
        case .collection(let members): return members.contains { equals(left, $0) }
        case .value(.null): return false
        case .subject(let subject) where subject.predicateMembers != nil:
            return subject.predicateMembers?.contains { equals(left, $0) } ?? false
        default:
            guard let whole = right.scalar?.text else {
                throw mismatch("IN needs a collection or a text on its right, not \(right.kind)")
            }
            guard let part = try text(of: left) else { return false }
            return TextFolding.fold(whole, options)
                .containsBytes(of: TextFolding.fold(part, options))
        }
    }

    private func mismatch(_ message: String) -> PredicateEvaluationError {
        PredicateEvaluationError(code: .typeMismatch, message: message)
    }
}

extension Relation {
    private func textHolds(_ left: SubjectOperand, _ right: SubjectOperand) throws -> Bool {
        guard let subject = try text(of: left) else { return false }
        switch matcher {
        case .like(let pattern): return try pattern.matches(subject)
        case .regular(let expression): return try expression.matches(subject, allowance)
        case .text(let part): return holds(TextFolding.fold(subject, options), part)
        case .none, .set, .bounds: break
        }
        guard let part = try text(of: right) else { return false }
        switch `operator` {
        case .like: return try LikePattern(part, options: options).matches(subject)
        case .matches:
            return try RegularExpression(part, options: options).matches(subject, allowance)
        default:
            return holds(TextFolding.fold(subject, options), TextFolding.fold(part, options))
        }
    }

    private func holds(_ text: String, _ part: String) -> Bool {
        switch `operator` {
        case .beginsWith: text.utf8.starts(with: part.utf8)
        case .endsWith: text.utf8.reversed().starts(with: part.utf8.reversed())
        default: text.containsBytes(of: part)
        }
    }

    /// The text of an operand of a text operator; `nil` for nil.
    private func text(of operand: SubjectOperand) throws -> String? {
        switch operand {
        case .value(.null): return nil
        case .value(let value): if let text = value.text { return text }
        default: break
        }
        throw mismatch("\(`operator`.text) needs text, not \(operand.kind)")
    }
}
