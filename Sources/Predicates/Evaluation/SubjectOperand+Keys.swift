// SPDX-License-Identifier: Apache-2.0

import Foundation
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
        if let value = textMember(forKey: key) ?? numberMember(forKey: key)
            ?? otherMember(forKey: key)
        {
            return .value(value)
        }
        throw PredicateEvaluationError(
            code: .invalidKey,
            message: "the key “\(key)” cannot be read of \(SubjectOperand.value(self).kind)")
    }
}

extension Value {
    private func textMember(forKey key: String) -> Value? {
        guard let text else { return nil }
        switch key {
        case "length": return .integer64(Int64(text.utf16.count))
        case "lowercaseString": return .string(text.lowercased())
        case "uppercaseString": return .string(text.uppercased())
        case "capitalizedString": return .string(text.capitalized)
        case "description", "absoluteString": return .string(text)
        default: return nil
        }
    }

    private func numberMember(forKey key: String) -> Value? {
        guard let number = Number(self) else { return nil }
        switch key {
        case "doubleValue", "floatValue": return .double(number.doubleValue)
        case "intValue", "integerValue", "longLongValue":
            return Int64(exactly: number.doubleValue.rounded(.towardZero)).map { whole in
                if case .integer(let exact) = number {
                    .integer64(exact)
                } else {
                    .integer64(whole)
                }
            }
        case "boolValue": return .boolean(number.doubleValue != 0)
        default: return nil
        }
    }

    private func otherMember(forKey key: String) -> Value? {
        switch (self, key) {
        case (.date(let seconds), "timeIntervalSinceReferenceDate"): .double(seconds)
        case (.date(let seconds), "timeIntervalSince1970"): .double(seconds + 978_307_200)
        case (.binaryData(let bytes), "length"): .integer64(Int64(bytes.count))
        case (.uuid(let uuid), "UUIDString"): .string(uuid.description)
        default: nil
        }
    }
}

/// The operators of key paths that apply to what the keys behind them yield.
enum CollectionOperator {
    static func apply(
        _ name: String, to operand: SubjectOperand, _ keys: ArraySlice<String>
    ) throws -> SubjectOperand {
        var isCollection = operand.isNull
        if case .collection = operand { isCollection = true }
        if case .subject(let subject) = operand { isCollection = subject.predicateMembers != nil }
        if !isCollection {
            throw PredicateEvaluationError(
                code: .typeMismatch, message: "\(name) needs a collection, not \(operand.kind)")
        }
        if name == "@count" {
            return try SubjectOperand.value(.integer64(Int64(operand.members.count))).follow(keys)
        }
        if let union = try union(name, of: operand.members, keys) { return union }
        // Keys are followed from each member by itself: `@max.tags.@count` is the longest list.
        let members = try operand.members.flatMap { try $0.follow(keys).members }
        guard let function = FunctionName.function(ofOperator: name),
            let value = try Statistics.value(function, of: members)
        else {
            throw PredicateEvaluationError(
                code: .unknownFunction,
                message: "\(name) is no collection operator; there are @count, @sum, @avg, "
                    + "@min, @max, @unionOfObjects and @distinctUnionOfObjects")
        }
        return value
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

extension SubjectOperand {
    /// Whether the operands are equal; collections are if they have equal members, in any order.
    func equals(_ other: SubjectOperand, _ options: ComparisonOptions = []) -> Bool {
        switch (self, other) {
        case (.collection(let members), .collection(var rest)):
            guard members.count == rest.count else { return false }
            return members.allSatisfy { member in
                guard let index = rest.firstIndex(where: { member.equals($0, options) }) else {
                    return false
                }
                rest.remove(at: index)
                return true
            }
        case (.collection, _), (_, .collection): return false
        default:
            if let value = scalar, let otherValue = other.scalar {
                return value.predicateCompare(otherValue, options) == .same
            }
            guard case (.subject(let one), .subject(let two)) = (self, other) else { return false }
            return one.isSame(as: two)
        }
    }
}

/// The members of a collection, to be found by equality: values by a table where they have keys;
/// others, dictionaries and objects that no store knows one by one.
struct MemberSet {
    private var keys: Set<Value> = []
    /// What has keys, but for decimals.
    private var keyed: [SubjectOperand] = []
    /// All decimals: those that have no keys may equal doubles, but each other only if the same.
    private var decimals: Set<Value> = []
    private var others: [SubjectOperand] = []

    init(_ members: [SubjectOperand] = []) {
        for member in members { insert(member) }
    }

    func contains(_ member: SubjectOperand) -> Bool {
        guard let value = member.scalar else { return others.contains { $0.equals(member) } }
        let key = value.membershipKey([])
        if key.map(keys.contains) == true || decimals.contains(value) { return true }
        if others.contains(where: { $0.equals(member) }) { return true }
        if case .decimal = value { return key == nil && keyed.contains { $0.equals(member) } }
        return decimals.contains { SubjectOperand.value($0).equals(member) }
    }

    /// Adds a member; returns whether it is new.
    @discardableResult
    mutating func insert(_ member: SubjectOperand) -> Bool {
        if contains(member) { return false }
        let value = member.scalar
        let key = value?.membershipKey([])
        if let key { keys.insert(key) }
        if let value, case .decimal = value {
            decimals.insert(value)
        } else if key != nil {
            keyed.append(member)
        } else {
            others.append(member)
        }
        return true
    }
}

extension [SubjectOperand] {
    /// The members without those that equal an earlier one.
    func distinct() -> [SubjectOperand] {
        var seen = MemberSet()
        return filter { seen.insert($0) }
    }
}
