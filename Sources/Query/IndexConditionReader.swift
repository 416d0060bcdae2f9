// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// Reads the condition of a partial index out of a predicate.
///
/// Accepted is what an object's own stored attributes decide in the way of index keys: comparisons
/// of one of them with a constant, and "and", "or" and "not" of such.
public struct IndexConditionReader {
    private let schema: Schema
    private let entity: Entity

    /// Makes a reader for the objects of an entity.
    public init(_ schema: Schema, entity: Entity) {
        self.schema = schema
        self.entity = entity
    }

    /// The condition that a predicate states.
    ///
    /// - Throws: ``QueryError`` naming what no index can have.
    public func condition(of predicate: Predicate) throws(QueryError) -> IndexCondition {
        let resolver = KeyPathResolver(schema: schema)
        try PredicateChecker(resolver, entity: entity.name).check(predicate)
        let coerced = try ConstantCoercion(
            schema, entity: entity.name, isStrict: true
        ).coerced(predicate)
        let result = try read(coerced.normalized())
        guard result.nesting <= IndexCondition.deepestNesting else {
            throw QueryError(.unsupported, "\(predicate) has too many parts inside each other")
        }
        return result
    }

    /// The condition that a checked and normalised predicate states; nil where no index has it.
    func known(_ predicate: Predicate) -> IndexCondition? { try? read(predicate) }

    private func read(_ predicate: Predicate) throws(QueryError) -> IndexCondition {
        switch predicate {
        case .constant(let value): return value ? .all([]) : .any([])
        case .not(let operand): return try read(operand).negated
        case .and(let members): return .joined(try read(members), isAll: true)
        case .or(let members): return .joined(try read(members), isAll: false)
        case .comparison(let comparison):
            guard let found = read(comparison) else {
                throw QueryError(
                    .unsupported,
                    "\(comparison) is no comparison of a stored attribute of \(entity.name) with a "
                        + "constant, by ==, !=, <, <=, >, >=, BETWEEN, IN or BEGINSWITH without "
                        + "options")
            }
            return found
        }
    }

    private func read(_ members: [Predicate]) throws(QueryError) -> [IndexCondition] {
        var result: [IndexCondition] = []
        for member in members { result.append(try read(member)) }
        return result
    }

    private func read(_ comparison: Comparison) -> IndexCondition? {
        guard case .keyPath(let keys) = comparison.left, keys.count == 1,
            let attribute = entity.attribute(keys[0]), !attribute.isTransient,
            comparison.modifier == .direct, let constant = comparison.right.constantOperand,
            let test = try? FieldTest(comparison.operator, constant, comparison.options)
        else { return nil }
        if comparison.operator == .notEqualTo { return unequal(comparison, test) }
        if case .value(.null) = constant {
            return comparison.operator == .equalTo ? .isNull(attribute.name) : nil
        }
        switch attribute.type {
        case .decimal, .binaryData, .transformable, .objectID: return nil
        default: if let plain = plain(attribute, test) { return plain }
        }
        let reader = RestrictionReader(schema: schema, entity: entity)
        guard let found = reader.restriction(comparison, member: 0), found.isExact else {
            return nil
        }
        return condition(found.kind, attribute)
    }

    /// `!=` is the opposite of `==`, but for a null where both say the same.
    private func unequal(_ stated: Comparison, _ test: FieldTest) -> IndexCondition? {
        var comparison = stated
        comparison.operator = .equalTo
        guard let equal = read(comparison), let name = equal.attributes.first ?? name(of: stated),
            let opposite = try? FieldTest(.equalTo, test.constant, test.options)
        else { return nil }
        guard test.nullResult == opposite.nullResult else { return equal.negated }
        let null = IndexCondition.isNull(name)
        return test.nullResult
            ? .joined([equal.negated, null], isAll: false)
            : .joined([equal.negated, null.negated], isAll: true)
    }

    private func name(of comparison: Comparison) -> String? {
        if case .keyPath(let keys) = comparison.left { keys.first } else { nil }
    }

    /// An inequality of a number or a date as it is stated, rather than with the next number.
    private func plain(_ attribute: Attribute, _ test: FieldTest) -> IndexCondition? {
        let value: Value
        switch (attribute.type, test.value) {
        case (.double, .double(let number)), (.float, .double(let number)):
            if number.isNaN { return nil }
            value = .double(number)
        case (.double, .float(let number)), (.float, .float(let number)):
            if number.isNaN { return nil }
            value = .double(Double(number))
        case (.date, .date(let seconds)):
            if seconds.isNaN { return nil }
            value = .date(seconds)
        default: return nil
        }
        let relation: IndexCondition.Relation
        switch test.operation {
        case .lessThan: relation = .less
        case .lessThanOrEqualTo: relation = .lessOrEqual
        case .greaterThan: relation = .greater
        case .greaterThanOrEqualTo: relation = .greaterOrEqual
        default: return nil
        }
        return .compares(attribute.name, relation, value)
    }

    private func condition(
        _ kind: Restriction.Kind, _ attribute: Attribute
    ) -> IndexCondition {
        let name = attribute.name
        switch kind {
        case .values(let values):
            let members = values.map { value in
                value.isNull ? .isNull(name) : IndexCondition.compares(name, .equal, value)
            }
            return .joined(members, isAll: false)
        case .prefix(let text): return .compares(name, .begins, .string(text))
        case .range(let bounds):
            // Both values of a flag satisfy, so each one that is there.
            if attribute.type == .boolean { return .not(.isNull(name)) }
            var members: [IndexCondition] = []
            if let lower = bounds.lower {
                members.append(
                    .compares(name, bounds.includesLower ? .greaterOrEqual : .greater, lower))
            }
            if let upper = bounds.upper {
                members.append(
                    .compares(name, bounds.includesUpper ? .lessOrEqual : .less, upper))
            }
            // All integers, or all numbers but NaN.
            if members.isEmpty { return everyValue(attribute) }
            return .joined(members, isAll: true)
        }
    }

    private func everyValue(_ attribute: Attribute) -> IndexCondition {
        switch attribute.type {
        case .double, .float: .compares(attribute.name, .lessOrEqual, .double(.infinity))
        case .date: .compares(attribute.name, .lessOrEqual, .date(.infinity))
        default: .not(.isNull(attribute.name))
        }
    }
}
