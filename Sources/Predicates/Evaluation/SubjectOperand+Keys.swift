// SPDX-License-Identifier: Apache-2.0

import Schema

extension SubjectOperand {
    /// Follows keys: through nil to nil, through collections to their members' values in one
    /// flat collection.
    func follow(_ keys: ArraySlice<String>) throws -> SubjectOperand {
        guard let key = keys.first else { return self }
        let rest = keys.dropFirst()
        if key.utf8.first == 0x40 {
            return try CollectionOperator.apply(key, to: self, rest)
        }
        return try self.value(forKey: key).follow(rest)
    }

    func value(forKey key: String) throws -> SubjectOperand {
        switch self {
        case .subject(let subject): return try subject.predicateOperand(forKey: key)
        case .value(.null): return self
        case .value(let value): return try value.member(forKey: key)
        case .collection(let members):
            var results: [SubjectOperand] = []
            results.reserveCapacity(members.count)
            for member in members {
                switch try member.value(forKey: key) {
                case .collection(let inner): results += inner
                case let result: results.append(result)
                }
            }
            return .collection(results)
        }
    }
}

extension Value {
    /// The few keys that a value itself has.
    fileprivate func member(forKey key: String) throws -> SubjectOperand {
        if key == "self" { return .value(self) }
        if case .uri(let text) = self, key == "absoluteString" { return .value(.string(text)) }
        if let text {
            switch key {
            case "length": return .value(.integer64(Int64(text.utf16.count)))
            case "lowercaseString": return .value(.string(text.lowercased()))
            case "uppercaseString": return .value(.string(text.uppercased()))
            default: break
            }
        }
        throw PredicateEvaluationError(
            code: .invalidKey,
            message: "the key “\(key)” cannot be read of \(SubjectOperand.value(self).kind)")
    }
}

/// The operators of key paths that apply to what the keys behind them yield.
enum CollectionOperator {
    static func apply(
        _ name: String, to operand: SubjectOperand, _ keys: ArraySlice<String>
    ) throws -> SubjectOperand {
        if case .collection = operand {
        } else if !operand.isNull {
            throw PredicateEvaluationError(
                code: .typeMismatch, message: "\(name) needs a collection, not \(operand.kind)")
        }
        if name == "@count" {
            return try SubjectOperand.value(.integer64(Int64(operand.members.count))).follow(keys)
        }
        if let union = try union(name, of: operand.members, keys) { return union }
        // Keys are followed from each member by itself: `@max.tags.@count` is the longest list.
        let members = try operand.members.flatMap { try $0.follow(keys).members }
        switch name {
        case "@sum": return .value(try Statistics.sum(members))
        case "@avg": return .value(try Statistics.average(members))
        case "@min": return .value(try Statistics.extreme(members, .ascending))
        case "@max": return .value(try Statistics.extreme(members, .descending))
        default:
            throw PredicateEvaluationError(
                code: .unknownFunction,
                message: "\(name) is no collection operator; there are @count, @sum, @avg, "
                    + "@min, @max, @unionOfObjects and @distinctUnionOfObjects")
        }
    }

    /// Gathers what the keys up to the next operator yield; later keys apply to the whole.
    private static func union(
        _ name: String, of members: [SubjectOperand], _ keys: ArraySlice<String>
    ) throws -> SubjectOperand? {
        let isDistinct = name.hasPrefix("@distinctUnionOf")
        guard isDistinct || name.hasPrefix("@unionOf") else { return nil }
        let own = keys.prefix { $0.utf8.first != 0x40 }
        let all = try members.flatMap { try $0.follow(own).members }
        return try SubjectOperand.collection(isDistinct ? all.distinct() : all)
            .follow(keys.dropFirst(own.count))
    }
}

extension [SubjectOperand] {
    /// The members without those that equal an earlier one.
    func distinct() -> [SubjectOperand] {
        var seen: Set<Value> = []
        return filter { member in
            guard let key = member.scalar?.membershipKey([]) ?? member.scalar else { return true }
            return seen.insert(key).inserted
        }
    }
}
