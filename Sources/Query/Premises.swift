// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema

/// What is known of an object, to tell whether a condition follows from it.
///
/// A "no" means that it may hold all the same: only what can be shown by comparing the values of
/// single attributes, or by finding the same condition, counts.
struct Premises {
    /// For an attribute the values that it may have.
    private var values: [String: KeyRanges] = [:]
    /// Conditions that hold.
    private var conditions: [IndexCondition] = []
    /// Whether no object can be so, from which anything follows.
    private(set) var isImpossible = false

    /// Adds a condition that holds.
    mutating func add(_ condition: IndexCondition) {
        if case .all(let members) = condition {
            for member in members { add(member) }
        }
        conditions.append(condition)
        if let (attribute, ranges) = condition.keyRanges { add(attribute, ranges) }
    }

    /// Adds that an attribute has one of some values.
    mutating func add(_ attribute: String, _ ranges: KeyRanges) {
        let both = values[attribute].map { .intersection(of: [$0, ranges]) } ?? ranges
        values[attribute] = both
        if both == .none { isImpossible = true }
    }

    /// Whether a condition follows, also from each alternative of one disjunction that holds.
    func imply(_ condition: IndexCondition) -> Bool {
        implyAtOnce(condition) || implyInEachCase(condition)
    }

    private func implyAtOnce(_ condition: IndexCondition) -> Bool {
        if isImpossible || conditions.contains(condition) { return true }
        if let (attribute, ranges) = condition.keyRanges,
            (values[attribute] ?? .all).isSubset(of: ranges)
        {
            return true
        }
        return switch condition {
        case .all(let members): members.allSatisfy(implyAtOnce)
        case .any(let members): members.contains(where: implyAtOnce)
        case .not, .isNull, .compares: false
        }
    }

    private func implyInEachCase(_ condition: IndexCondition) -> Bool {
        for known in conditions {
            // Alternatives of one attribute are among its values already.
            guard case .any(let alternatives) = known, known.keyRanges == nil else { continue }
            let holds = alternatives.allSatisfy { alternative in
                var one = self
                one.add(alternative)
                return one.implyAtOnce(condition)
            }
            if holds { return true }
        }
        return false
    }
}

extension Restriction {
    /// The values that satisfy, or more.
    var keyRanges: KeyRanges {
        switch kind {
        case .values(let values):
            .union(of: values.map { $0.isNull ? .null : KeyRanges(.equal, $0) })
        case .prefix(let text): KeyRanges(.begins, .string(text))
        case .range(let bounds): bounds.keyRanges
        }
    }
}

extension Restriction.Bounds {
    fileprivate var keyRanges: KeyRanges {
        var sets = [KeyRanges.null.complement]
        if let lower { sets.append(KeyRanges(includesLower ? .greaterOrEqual : .greater, lower)) }
        if let upper { sets.append(KeyRanges(includesUpper ? .lessOrEqual : .less, upper)) }
        return .intersection(of: sets)
    }
}
