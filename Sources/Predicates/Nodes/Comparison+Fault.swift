// SPDX-License-Identifier: Apache-2.0

import Schema

/// Why a comparison can be evaluated with no object at all.
public struct ComparisonFault: Sendable, Hashable {
    /// Whether it is in the right side rather than in the left one.
    public let isRight: Bool
    /// What is needed there.
    public let expected: String
    /// What is there.
    public let found: String
}

extension Comparison {
    /// Why the comparison can be evaluated with no object, as far as it says so by itself; `nil` if
    /// it may be.
    ///
    /// `IN` and `BETWEEN` need a collection on their right, `ANY` and `ALL` one on their left. Nil
    /// stands for none.
    public var fault: ComparisonFault? {
        if modifier != .direct, let found = left.singleKind {
            return ComparisonFault(
                isRight: false, expected: "a collection after \(modifier.text)", found: found)
        }
        switch `operator` {
        case .in:
            guard case .value(let value)? = right.constantOperand, !value.isNull, value.text == nil
            else { return nil }
            return ComparisonFault(
                isRight: true, expected: "a collection or a text after IN",
                found: SubjectOperand.value(value).kind)
        case .between: return boundsFault
        default: return nil
        }
    }

    private var boundsFault: ComparisonFault? {
        let found: String
        switch right {
        case .constant(.value(.null)): return nil
        case .constant(.value(let value)): found = SubjectOperand.value(value).kind
        case .constant(.list(let members)):
            if members.count == 2 { return nil }
            found = "a list of \(members.count)"
        case .aggregate(let members):
            if members.count == 2 { return nil }
            found = "a list of \(members.count)"
        default: return nil
        }
        return ComparisonFault(
            isRight: true, expected: "two bounds such as {1, 5} after BETWEEN", found: found)
    }
}

extension Expression {
    /// What the expression is where it gives one value of whatever object, for messages; `nil`
    /// where it may give a collection.
    fileprivate var singleKind: String? {
        switch self {
        case .constant(.value(let value)):
            return value.isNull ? nil : SubjectOperand.value(value).kind
        case .keyPath(let keys), .member(_, let keys):
            let single = ["@count", "@sum", "@avg", "@min", "@max"]
            return keys.first { single.contains($0) }.map { "the one value of \($0)" }
        case .function(let name, _):
            return FunctionName.givesOneValue(name) ? "the one value of \(name)" : nil
        case .constant, .evaluatedObject, .variable, .aggregate, .subquery, .conditional:
            return nil
        }
    }
}
