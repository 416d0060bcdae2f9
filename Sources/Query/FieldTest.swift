// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store
import Traps

/// An operator and a constant: a test of one value of any type.
struct FieldTest {
    let operation: Operator
    let constant: Operand
    let options: ComparisonOptions
    /// The answer for nil.
    let nullResult: Bool
    /// The test made ready for any value; `nil` for a plain one, of which few ask for it.
    private let prepared: PreparedPredicate?

    /// - Returns: `nil` when the operator does not apply to nil, so that only evaluation can
    ///   decide.
    init?(
        _ operation: Operator, _ constant: Operand, _ options: ComparisonOptions
    ) throws(QueryError) {
        self.operation = operation
        self.constant = constant
        self.options = options
        if FieldTest.isPlain(operation, constant, options) {
            // Nil equals no value, and is neither less nor greater.
            nullResult = false
            prepared = nil
            assert((try? general.evaluate(with: .value(.null))) == false)
            return
        }
        let general: PreparedPredicate
        do {
            general = try FieldTest.prepare(operation, constant, options)
        } catch {
            throw QueryError(error)
        }
        guard let result = try? general.evaluate(with: .value(.null)) else { return nil }
        nullResult = result
        prepared = general
    }

    /// Whether the test compares with one value, as nearly all do.
    private static func isPlain(
        _ operation: Operator, _ constant: Operand, _ options: ComparisonOptions
    ) -> Bool {
        guard options.isEmpty, case .value(let value) = constant, !value.isNull else {
            return false
        }
        switch operation {
        case .equalTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            return true
        default: return false
        }
    }

    private static func prepare(
        _ operation: Operator, _ constant: Operand, _ options: ComparisonOptions
    ) throws(PredicateEvaluationError) -> PreparedPredicate {
        try PreparedPredicate(
            .comparison(
                Comparison(
                    left: .evaluatedObject, operator: operation, right: .constant(constant),
                    options: options)))
    }

    /// The test made ready for any value.
    private var general: PreparedPredicate {
        if let prepared { return prepared }
        do {
            return try FieldTest.prepare(operation, constant, options)
        } catch {
            trap("\(operation.text) \(constant) has no pattern, but is not made ready: \(error)")
        }
    }

    private var isNegated: Bool { operation == .notEqualTo }

    /// A single constant.
    var value: Value? {
        if case .value(let value) = constant { value } else { nil }
    }

    /// The constants of a list, if none is a list itself.
    var values: [Value]? {
        guard case .list(let members) = constant else { return nil }
        let values = members.compactMap { if case .value(let value) = $0 { value } else { nil } }
        return values.count == members.count ? values : nil
    }

    /// The node for a field.
    func node(_ position: Int, _ table: EntityTable) -> any FilterNode {
        let place = FieldPlace(position, table)
        if value?.isNull == true, operation == .equalTo || operation == .notEqualTo {
            return NullNode(place, wantsNull: !isNegated)
        }
        let node: (any FilterNode)? =
            switch place.type {
            case .integer16, .integer32, .integer64, .boolean: integerNode(place)
            case .double, .float: doubleNode(place)
            case .date: dateNode(place)
            case .string, .uri: textNode(place)
            case .objectID: keyNode(place)
            case .decimal, .binaryData, .uuid, .transformable: nil
            }
        return node ?? ValueNode(position, table, general.limited())
    }
}

extension FieldTest {
    /// The integers that the test, but for its negation, holds for.
    var integerInterval: IntegerInterval? {
        if let value { return IntegerInterval(operation, value) }
        guard operation == .between, let bounds = values, bounds.count == 2,
            let low = IntegerInterval(.greaterThanOrEqualTo, bounds[0]),
            let high = IntegerInterval(.lessThanOrEqualTo, bounds[1])
        else { return nil }
        return low.intersection(high)
    }

    /// The doubles that the test, but for its negation, holds for.
    var doubleInterval: DoubleInterval? {
        if let value { return DoubleInterval(operation, value) }
        guard operation == .between, let bounds = values, bounds.count == 2,
            let low = DoubleInterval(.greaterThanOrEqualTo, bounds[0]),
            let high = DoubleInterval(.lessThanOrEqualTo, bounds[1])
        else { return nil }
        return low.intersection(high)
    }

    /// The seconds that the test, but for its negation, holds for.
    var dateInterval: DoubleInterval? {
        switch (operation, value, values) {
        case (_, .date(let date), _): return DoubleInterval(operation, date: date)
        case (.between, _, let bounds?):
            guard bounds.count == 2,
                case (.date(let low), .date(let high)) = (bounds[0], bounds[1]),
                let from = DoubleInterval(.greaterThanOrEqualTo, date: low),
                let to = DoubleInterval(.lessThanOrEqualTo, date: high)
            else { return nil }
            return from.intersection(to)
        default: return nil
        }
    }

    /// The integers on the right of `IN`; `nil` for another operator.
    var integerMembers: Set<Int64>? {
        guard operation == .in, let values else { return nil }
        var members: Set<Int64> = []
        for value in values {
            // Others than numbers equal no integer, nor do fractions: their interval is empty.
            if let only = IntegerInterval(.equalTo, value), !only.isEmpty {
                members.insert(only.lower)
            }
        }
        return members
    }

    /// The objects that the test, but for its negation, holds for.
    var keyMembers: KeySet? {
        switch (operation, value, values) {
        case (.equalTo, .objectID(let key), _), (.notEqualTo, .objectID(let key), _):
            return KeySet([key])
        case (.in, _, let values?):
            return KeySet(
                values.compactMap { if case .objectID(let key) = $0 { key } else { nil } })
        default: return nil
        }
    }

    private func integerNode(_ place: FieldPlace) -> (any FilterNode)? {
        if let members = integerMembers {
            return IntegerSetNode(place, members, nullResult: nullResult)
        }
        return integerInterval.map {
            IntegerNode(place, $0, isNegated: isNegated, nullResult: nullResult)
        }
    }

    /// The node for a field whose bits are tested; `nil` for one that is no integer.
    func bitsNode(_ place: FieldPlace, _ steps: ContiguousArray<BitStep>) -> (any FilterNode)? {
        switch place.type {
        case .integer16, .integer32, .integer64, .boolean:
            integerInterval.map {
                BitsNode(place, steps, $0, isNegated: isNegated, nullResult: nullResult)
            }
        default: nil
        }
    }

    private func doubleNode(_ place: FieldPlace) -> (any FilterNode)? {
        doubleInterval.map {
            DoubleNode(place, $0, isNegated: isNegated, nullResult: nullResult)
        }
    }

    private func dateNode(_ place: FieldPlace) -> (any FilterNode)? {
        dateInterval.map {
            DoubleNode(place, $0, isNegated: isNegated, nullResult: nullResult)
        }
    }

    private func textNode(_ place: FieldPlace) -> (any FilterNode)? {
        guard !options.contains(.localeSensitive) else { return nil }
        if operation == .between, let bounds = values, bounds.count == 2,
            let low = bounds[0].text, let high = bounds[1].text,
            let from = TextNode(place, .greaterThanOrEqualTo, low, options, nullResult: false),
            let to = TextNode(place, .lessThanOrEqualTo, high, options, nullResult: false)
        {
            return CompoundNode([from, to], deciding: false)
        }
        if operation == .in, let values {
            // Text equals text only.
            let nodes = values.compactMap(\.text).compactMap {
                TextNode(place, .equalTo, $0, options, nullResult: nullResult)
            }
            return 1...8 ~= nodes.count ? CompoundNode(nodes, deciding: true) : nil
        }
        guard let text = value?.text else { return nil }
        if operation == .like {
            return LikeNode(place, LikePattern(text, options: options), nullResult: nullResult)
        }
        return TextNode(place, operation, text, options, nullResult: nullResult)
    }

    private func keyNode(_ place: FieldPlace) -> (any FilterNode)? {
        keyMembers.map { KeyNode(place, $0, isNegated: isNegated, nullResult: nullResult) }
    }

    /// The node that tests the object itself.
    func identityNode() -> (any FilterNode)? {
        if value?.isNull == true, operation == .equalTo || operation == .notEqualTo {
            return ConstantNode(isNegated)
        }
        return keyMembers.map { IdentityNode($0, isNegated: isNegated) }
    }

    /// The node that tests the destinations of a relationship.
    func destinationNode(_ relationship: RelationshipTable, isAny: Bool) -> (any FilterNode)? {
        keyMembers.map {
            DestinationNode(relationship, $0, isNegated: isNegated, deciding: isAny)
        }
    }
}
