// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// The source of a predicate's tree, to make it anew when keys of objects change.
struct PredicateSource {
    enum Base {
        case format(String, [Any?])
        case tree(PredicateTree)
    }

    private let base: Base
    /// Values of variables, in the order in which they were given.
    private var variables: [[String: Any]] = []
    /// All values that the predicate was made with.
    private var values: [Any?]

    init(_ base: Base, values: [Any?]) {
        self.base = base
        self.values = values
    }

    /// The source with values in place of variables.
    func adding(_ variables: [String: Any]) -> PredicateSource {
        var result = self
        result.variables.append(variables)
        result.values += variables.values.map { $0 }
        return result
    }

    /// Whether no value names an object or has to be looked at again.
    var isPlain: Bool { values.allSatisfy { PredicateConversion.plain($0) != nil } }

    /// The stores of the objects that values name.
    var stores: Set<String> {
        values.reduce(into: []) { PredicateConversion.noteStores(of: $1, &$0) }
    }

    var hasFetch: Bool {
        values.contains { $0 is NSFetchRequestExpression }
    }

    /// - Throws: ``PredicateSyntaxError`` for a format that cannot be read and for a value that
    ///   predicates do not know.
    /// - Parameter runsFetches: False to take nothing for what fetches find.
    func tree(in store: String?, runsFetches: Bool = true) throws -> PredicateTree {
        var tree: PredicateTree
        var ranges = RangeArguments()
        switch base {
        case .tree(let known): tree = known
        case .format(let format, let arguments):
            let taken = arguments.map { ranges.argument($0, in: store, runsFetches) }
            tree = try PredicateTree(format: format, arguments: taken)
        }
        for values in variables {
            tree = tree.substituting(
                try values.mapValues { value in
                    switch ranges.argument(value, in: store, runsFetches) {
                    case .operand(let operand): return .constant(operand)
                    case .expression(let expression): return expression
                    case .keyPath(let what), .unusable(let what):
                        throw PredicateSyntaxError(
                            code: .argumentType, format: "\(tree)", offset: 0,
                            expected: "a constant for each variable", found: what)
                    }
                })
        }
        return ranges.resolved(tree)
    }

    /// Whether another source has the same fetches in the same places.
    func isEqual(to other: PredicateSource?) -> Bool {
        guard let other else { return false }
        let own = values.compactMap { $0 as? NSFetchRequestExpression }
        return own == other.values.compactMap { $0 as? NSFetchRequestExpression }
    }
}

extension PredicateTree {
    /// Whether a constant names an object that has no permanent identity yet.
    var namesUnsaved: Bool {
        var found = false
        _ = replacing { expression in
            if case .constant(let operand) = expression, operand.namesUnsaved { found = true }
            return nil
        }
        return found
    }
}

extension Operand {
    /// Whether this is, or holds, an object that has no permanent identity yet.
    var namesUnsaved: Bool {
        switch self {
        case .value(.objectID(let key)): key.isTemporary
        case .value: false
        case .list(let members): members.contains(where: \.namesUnsaved)
        }
    }

    /// Whether this is an object or a list of such.
    var namesObjects: Bool {
        switch self {
        case .value(.objectID): true
        case .value: false
        case .list(let members): members.isEmpty || members.contains(where: \.namesObjects)
        }
    }
}

/// Ranges among the arguments of a format: bounds for `BETWEEN`, and for `IN` as well.
struct RangeArguments {
    private var bounds: [String: Operand] = [:]

    static func isRange(_ value: Any) -> Bool {
        value is ClosedRange<Int> || value is Range<Int> || value is ClosedRange<Double>
            || value is ClosedRange<Date>
    }

    /// What takes the place of a value in a format; a stand-in for a range.
    mutating func argument(
        _ value: Any?, in store: String?, _ runsFetches: Bool
    ) -> Argument {
        if let plain = PredicateConversion.plain(value) { return .operand(.value(plain)) }
        return range(value)
            ?? PredicateConversion.argument(value, in: store, runsFetches: runsFetches)
    }

    private mutating func range(_ value: Any?) -> Argument? {
        let list: Operand
        switch value {
        case let range as ClosedRange<Int>:
            list = .list([
                .value(.integer64(Int64(range.lowerBound))),
                .value(.integer64(Int64(range.upperBound))),
            ])
        case let range as Range<Int>:
            // An empty range gets bounds in the wrong order, so that no value lies between them.
            list = .list([
                .value(.integer64(Int64(range.lowerBound))),
                .value(.integer64(Int64(range.upperBound).subtractingReportingOverflow(1).0)),
            ])
        case let range as ClosedRange<Double>:
            list = .list([.value(.double(range.lowerBound)), .value(.double(range.upperBound))])
        case let range as ClosedRange<Date>:
            list = .list(
                [range.lowerBound, range.upperBound].map {
                    .value(.date($0.timeIntervalSinceReferenceDate))
                })
        default: return nil
        }
        // No format can name such a variable.
        let name = "range \(bounds.count)"
        bounds[name] = list
        return .expression(.variable(name))
    }

    /// The tree with the ranges in it.
    func resolved(_ tree: PredicateTree) -> PredicateTree {
        if bounds.isEmpty { return tree }
        return tree.mappingComparisons { comparison in
            guard comparison.operator == .in, case .variable(let name) = comparison.right,
                bounds[name] != nil
            else { return comparison }
            var within = comparison
            within.operator = .between
            return within
        }.substituting(bounds)
    }
}
