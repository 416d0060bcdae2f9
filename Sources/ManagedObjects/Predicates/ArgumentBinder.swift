// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema
import Traps

/// Takes values of the program into a tree: plain ones as constants, those that name objects, run
/// or cannot be written as stand-ins, ranges as bounds.
struct ArgumentBinder {
    private(set) var values: [BoundValue]
    /// The bounds that stand-ins of ranges name.
    private var ranges: [String: Operand] = [:]
    /// Whether there are a request and a context for a `FETCH`.
    private var hasFetchParts = false

    init(_ values: [BoundValue] = []) { self.values = values }

    static func isRange(_ value: Any) -> Bool {
        value is ClosedRange<Int> || value is Range<Int> || value is ClosedRange<Double>
            || value is ClosedRange<Date>
    }

    /// Whether the value of a variable is put into the tree before an object is asked.
    ///
    /// So are expressions and ranges, and constants, which the object's attributes may need in
    /// another type. Objects stay, for keys behind the variable.
    static func isStated(_ value: Any, for object: Any?) -> Bool {
        if isRange(value) || value is NSExpression { return true }
        guard object is NSManagedObject else { return false }
        if PredicateConversion.plain(value) != nil { return true }
        return PredicateConversion.operand(value).map { !$0.namesObjects } ?? false
    }

    /// What takes the place of a conversion in a format.
    mutating func argument(_ value: Any?) -> Argument {
        if let plain = PredicateConversion.plain(value) { return .operand(.value(plain)) }
        if PredicateConversion.instance(value, of: NSNull.self) != nil {
            return standIn(.null, "nil")
        }
        if let bounds = bounds(value) {
            let name = "range \(ranges.count)"
            ranges[name] = bounds
            return .standIn(variable: name, summary: "a range")
        }
        if let expression = PredicateConversion.instance(value, of: NSExpression.self) {
            let content = expression.content
            if content.tree.isDeeper(than: PredicateConversion.mostLevels) {
                return standIn(.deep(expression), "an expression")
            }
            return argument(content)
        }
        guard let operand = PredicateConversion.operand(value) else {
            if let part = fetchPart(value) { return part }
            if PredicateConversion.isNeverCompared(value) {
                return .unusable(PredicateConversion.unusable(value))
            }
            // Objects in memory, and attributes with a transformer, are compared with anything.
            return standIn(
                .constant(BoundConstant(value, as: nil)), PredicateConversion.unusable(value))
        }
        // What a program may ask for as it was given: in the tree sets are lists.
        guard
            operand.namesObjects || KeyPathValue.isSet(value)
                || PredicateConversion.instance(value, of: NSPersistentHistoryToken.self) != nil
        else { return .operand(operand) }
        return standIn(.constant(BoundConstant(value, as: operand)), "an object or a list")
    }

    private mutating func argument(_ content: BoundTree<ExpressionTree>) -> Argument {
        let used = content.used
        if let what = used.lazy.compactMap(\.complaint).first { return .unusable(what) }
        if used.isEmpty {
            if case .constant(let operand) = content.tree { return .operand(operand) }
            return .expression(content.tree)
        }
        if let index = StandIn.index(content.tree) {
            switch content.values[index] {
            case .constant(let constant): return argument(constant.stated)
            case .fetch: return standIn(content.values[index], "a fetch")
            case .deep: return standIn(content.values[index], "an expression")
            case .block: break
            }
        }
        return .expression(adopt(content))
    }

    /// A request or a context, which only `FETCH` takes.
    private mutating func fetchPart(_ value: Any?) -> Argument? {
        let isContext = value is NSManagedObjectContext
        guard isContext || value is any ExpressionFetch else { return nil }
        hasFetchParts = true
        values.append(.constant(BoundConstant(value, as: nil)))
        let name = StandIn.name(values.count - 1)
        return isContext ? .fetchContext(variable: name) : .fetchRequest(variable: name)
    }

    /// The tree with a fetch in the place of each `FETCH`.
    private mutating func fetching<Tree: PredicateSyntax>(_ tree: Tree) -> Tree {
        tree.replacing { expression in
            guard case .function(FunctionName.fetch, let parts) = expression, parts.count == 3,
                let request = StandIn.index(parts[0]), let context = StandIn.index(parts[1]),
                case .constant(.value(.boolean(let isCountOnly))) = parts[2]
            else { return nil }
            let fetch = NSFetchRequestExpression.expression(
                forFetch: constant(at: request), context: constant(at: context),
                countOnly: isCountOnly)
            return part(fetch)
        }
    }

    private func constant(at index: Int) -> NSExpression {
        guard case .constant(let constant) = values[index] else {
            trap("a fetch has lost an argument")
        }
        return NSExpression(forConstantValue: constant.stated)
    }

    private mutating func standIn(_ value: BoundValue, _ summary: String) -> Argument {
        values.append(value)
        return .standIn(variable: StandIn.name(values.count - 1), summary: summary)
    }

    /// The tree of another list of values, for this one.
    mutating func adopt<Tree: PredicateSyntax>(_ content: BoundTree<Tree>) -> Tree {
        if content.values.isEmpty { return content.tree }
        let first = values.count
        values += content.values
        return content.tree.shifted(by: first)
    }

    /// What stands for a predicate that is too deep for a tree.
    mutating func deep(_ predicate: NSPredicate) -> PredicateTree {
        values.append(.deep(predicate))
        return .comparison(
            Comparison(
                left: .variable(StandIn.name(values.count - 1)), operator: .equalTo,
                right: .constant(.value(.boolean(true)))))
    }

    /// A part of an expression: an expression, or anything else as a constant.
    mutating func part(_ value: Any?) -> ExpressionTree {
        switch argument(value) {
        case .operand(let operand): return .constant(operand)
        case .expression(let expression): return expression
        case .standIn(let variable, _): return .variable(variable)
        case .keyPath(let what), .unusable(let what), .fetchRequest(let what),
            .fetchContext(let what):
            trap("an expression cannot hold \(what): \(value ?? "nil")")
        }
    }

    /// A constant that gives the program its value back as it is.
    mutating func constant(_ stated: Any?) -> ExpressionTree {
        if PredicateConversion.instance(stated, of: NSNull.self) != nil { return part(stated) }
        guard let value = ValueConversion.unwrapped(stated) else { return .constant(.value(.null)) }
        if let plain = PredicateConversion.plain(value) { return .constant(.value(plain)) }
        if let fetch = PredicateConversion.instance(value, of: NSFetchRequestExpression.self) {
            return part(fetch)
        }
        values.append(.constant(BoundConstant(value, as: PredicateConversion.operand(value))))
        return .variable(StandIn.name(values.count - 1))
    }

    /// A call of a block.
    mutating func block(_ block: ExpressionBlock, _ arguments: [ExpressionTree]) -> ExpressionTree {
        values.append(.block(block))
        return .function(StandIn.name(values.count - 1), arguments)
    }

    /// A tree that was made of the arguments, with its values.
    mutating func finished(_ stated: PredicateTree) -> BoundTree<PredicateTree> {
        let tree = hasFetchParts ? fetching(stated) : stated
        if ranges.isEmpty { return BoundTree(tree, values) }
        let within = tree.mappingComparisons { comparison in
            guard comparison.operator == .in, case .variable(let name) = comparison.right,
                ranges[name] != nil
            else { return comparison }
            var within = comparison
            within.operator = .between
            return within
        }
        return BoundTree(within.substituting(ranges), values)
    }

    mutating func finished(_ stated: ExpressionTree) -> BoundTree<ExpressionTree> {
        let tree = hasFetchParts ? fetching(stated) : stated
        return BoundTree(ranges.isEmpty ? tree : tree.substituting(ranges), values)
    }

    private func bounds(_ value: Any?) -> Operand? {
        switch value {
        case let range as ClosedRange<Int>:
            .list([
                .value(.integer64(Int64(range.lowerBound))),
                .value(.integer64(Int64(range.upperBound))),
            ])
        case let range as Range<Int>:
            // An empty range gets bounds in the wrong order, so that no value lies between them.
            .list([
                .value(.integer64(Int64(range.lowerBound))),
                .value(.integer64(Int64(range.upperBound).subtractingReportingOverflow(1).0)),
            ])
        case let range as ClosedRange<Double>:
            .list([.value(.double(range.lowerBound)), .value(.double(range.upperBound))])
        case let range as ClosedRange<Date>:
            .list(
                [range.lowerBound, range.upperBound].map {
                    .value(.date($0.timeIntervalSinceReferenceDate))
                })
        default: nil
        }
    }
}

extension PredicateSyntax {
    /// The tree with stand-ins of higher numbers.
    fileprivate func shifted(by offset: Int) -> Self {
        if offset == 0 { return self }
        return replacing { expression in
            guard let index = StandIn.index(expression) else { return nil }
            switch expression {
            case .function(_, let arguments):
                return .function(
                    StandIn.name(index + offset), arguments.map { $0.shifted(by: offset) })
            default: return .variable(StandIn.name(index + offset))
            }
        }
    }
}
