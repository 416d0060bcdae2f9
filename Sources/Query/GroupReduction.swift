// SPDX-License-Identifier: Apache-2.0

import Predicates

/// Takes the aggregates out of expressions of groups, so that they can be summed while records
/// are read; a variable stands for each one.
struct GroupReduction {
    /// The aggregates, each once: functions of one argument.
    private(set) var aggregates: [Expression] = []
    /// The columns that a having predicate reads by their names; none for the columns themselves.
    private let names: Set<String>
    /// Those of them whose names are no properties of the members.
    private let computed: Set<String>

    init(names: Set<String> = [], computed: Set<String> = []) {
        self.names = names
        self.computed = computed
    }

    /// What stands for an aggregate; no name in a format begins so.
    static func variable(_ index: Int) -> String { "\0\(index)" }

    /// Starts anew with the names that a having predicate knows.
    func knowing(_ names: Set<String>, computed: Set<String>) -> GroupReduction {
        var reduction = GroupReduction(names: names, computed: computed)
        reduction.aggregates = aggregates
        return reduction
    }

    /// The place of an aggregate; nil for an expression that is none, or of another kind.
    mutating func index(of expression: Expression) -> Int? {
        guard case .function(let name, let arguments) = expression, arguments.count == 1,
            FunctionName.aggregates.contains(name), isReadOfMembers(arguments[0], name)
        else { return nil }
        if let known = aggregates.firstIndex(of: expression) { return known }
        aggregates.append(expression)
        return aggregates.count - 1
    }

    /// Whether an expression has an aggregate in it.
    static func hasAggregate(_ expression: Expression) -> Bool {
        guard case .function(let name, let arguments) = expression else { return false }
        return FunctionName.aggregates.contains(name) || arguments.contains(where: hasAggregate)
    }

    private func isReadOfMembers(_ argument: Expression, _ name: String) -> Bool {
        switch argument {
        case .evaluatedObject: name == "count:"
        case .keyPath(let keys):
            keys.first.map { $0.hasPrefix("@") || computed.contains($0) } == false
        default: argument.isComputedOfMembers && argument.variables.isEmpty
        }
    }

    /// The expression in terms of its aggregates; nil where it needs all members at once.
    ///
    /// - Parameter needsNumber: Whether a message about the expression could name it, as one does
    ///   that is no number: its aggregates are nothing else then.
    mutating func reduced(_ expression: Expression, needsNumber: Bool = false) -> Expression? {
        switch expression {
        case .constant: return expression
        case .variable(let name): return names.contains(name) ? expression : nil
        case .keyPath(let keys):
            if keys.count == 1, names.contains(keys[0]) { return expression }
            return expression.functionOfRows.flatMap {
                reduced($0, needsNumber: needsNumber)
            }
        case .aggregate(let members):
            return reduced(members, needsNumber: needsNumber).map { .aggregate($0) }
        case .function(let name, let arguments):
            if FunctionName.aggregates.contains(name) {
                if needsNumber, ["min:", "max:", "mode:"].contains(name) { return nil }
                return index(of: expression).map { .variable(GroupReduction.variable($0)) }
            }
            if FunctionName.ofCollections.contains(name) { return nil }
            return reduced(arguments, needsNumber: true).map { .function(name, $0) }
        case .evaluatedObject, .member, .subquery, .conditional: return nil
        }
    }

    private mutating func reduced(
        _ expressions: [Expression], needsNumber: Bool
    ) -> [Expression]? {
        var result: [Expression] = []
        for expression in expressions {
            guard let part = reduced(expression, needsNumber: needsNumber) else { return nil }
            result.append(part)
        }
        return result
    }

    /// The predicate in terms of the aggregates; nil where it needs all members at once.
    mutating func reduced(_ predicate: Predicate) -> Predicate? {
        switch predicate {
        case .constant: return predicate
        case .not(let operand): return reduced(operand).map { .not($0) }
        case .and(let members): return reduced(members).map { .and($0) }
        case .or(let members): return reduced(members).map { .or($0) }
        case .comparison(var comparison):
            guard comparison.modifier == .direct, let left = reduced(comparison.left),
                let right = reduced(comparison.right)
            else { return nil }
            (comparison.left, comparison.right) = (left, right)
            return .comparison(comparison)
        }
    }

    private mutating func reduced(_ predicates: [Predicate]) -> [Predicate]? {
        var result: [Predicate] = []
        for predicate in predicates {
            guard let part = reduced(predicate) else { return nil }
            result.append(part)
        }
        return result
    }
}
