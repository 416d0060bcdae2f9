// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Query
import Schema

/// One key of the dictionaries that a fetch returns.
struct ResultColumn {
    let name: String
    let expression: Predicates.Expression
    /// Whether the value is one of a group rather than of an object.
    let isAggregate: Bool
    /// Whether its aggregates are all of an object's own many, as `count:(items)`: without groups
    /// there is one for each object then.
    let isOfMany: Bool
    /// What the value is converted to.
    private let type: AttributeType?
    /// The attribute, whose transformer may have to be asked.
    private let field: FieldRuntime?

    /// Reads an element of `propertiesToFetch` or `propertiesToGroupBy`.
    ///
    /// - Throws: 134070 for what is neither a name nor a description with a value.
    init(_ property: Any, _ runtime: EntityRuntime) throws {
        if let computed = property as? NSExpressionDescription {
            guard let tree = try computed.expression?.tree(in: nil).askedOfRows else {
                throw ResultColumn.failure("the column \(computed.name) has no expression")
            }
            name = computed.name
            expression = tree
            isAggregate = ResultColumn.isAggregate(tree)
            isOfMany = ResultColumn.isOfMany(tree, runtime)
            let stated = computed.expressionResultType
            type = stated == .undefinedAttributeType ? nil : stated.schemaType
            field = nil
            return
        }
        guard let name = property as? String ?? (property as? NSPropertyDescription)?.name else {
            throw ResultColumn.failure("\(property) is no property to fetch")
        }
        self.name = name
        let path = name.pathKeys
        expression = .path(path, of: .evaluatedObject)
        (isAggregate, isOfMany) = (false, false)
        type = nil
        field = try ResultColumn.field(at: path[...], runtime)
    }

    /// The field that a path of to-one relationships ends with.
    private static func field(
        at path: ArraySlice<String>, _ runtime: EntityRuntime
    ) throws -> FieldRuntime? {
        guard let key = path.first else { return nil }
        if key == "objectID" || key == "self" { return nil }
        guard case .field(let position)? = runtime.references[key],
            runtime.fields[position].isStored
        else {
            throw failure(
                "\(runtime.entity.name).\(key) is no stored attribute or to-one relationship")
        }
        let rest = path.dropFirst()
        if rest.isEmpty { return runtime.fields[position] }
        guard let relationship = runtime.relationship(named: key) else {
            throw failure("\(runtime.entity.name).\(key) is no relationship")
        }
        return try field(at: rest, relationship.destination)
    }

    private static func failure(_ message: String) -> CocoaError {
        CoreDataError.make(.persistentStoreOperation, message)
    }

    private static func isAggregate(_ tree: Predicates.Expression) -> Bool {
        guard case .function(let name, let arguments) = tree else { return false }
        return FunctionName.aggregates.contains(name) || arguments.contains(where: isAggregate)
    }

    private static func isOfMany(
        _ tree: Predicates.Expression, _ runtime: EntityRuntime
    ) -> Bool {
        guard case .function(let name, let arguments) = tree else { return true }
        guard FunctionName.aggregates.contains(name) else {
            return arguments.allSatisfy { isOfMany($0, runtime) }
        }
        return arguments.allSatisfy { leadsToMany($0, runtime) }
    }

    private static func leadsToMany(
        _ argument: Predicates.Expression, _ runtime: EntityRuntime
    ) -> Bool {
        switch argument {
        case .subquery(let collection, _, _): return leadsToMany(collection, runtime)
        case .member(let base, let keys): return !sumsUp(keys) && leadsToMany(base, runtime)
        case .function(FunctionName.union, let arguments),
            .function(FunctionName.intersect, let arguments),
            .function(FunctionName.minus, let arguments):
            return arguments.contains { leadsToMany($0, runtime) }
        case .keyPath(let keys):
            if sumsUp(keys) { return false }
            var runtime = runtime
            for key in keys {
                if case .toMany? = runtime.references[key] { return true }
                guard let step = runtime.relationship(named: key) else { return false }
                runtime = step.destination
            }
            return false
        default: return false
        }
    }

    /// Whether keys have an operator that makes one value of many, as `@count` does.
    private static func sumsUp(_ keys: [String]) -> Bool {
        keys.contains {
            $0.hasPrefix("@") && !$0.hasPrefix("@unionOf") && !$0.hasPrefix("@distinctUnionOf")
        }
    }

    /// Whether a value is in dictionaries as it is stored.
    func keeps(_ value: Value) -> Bool { type == nil || type == value.type }

    /// The value as dictionaries have it; `nil` for none.
    func object(_ operand: SubjectOperand, _ context: NSManagedObjectContext) -> Any? {
        // What `mode:` gives.
        if case .collection(let members) = operand, isAggregate {
            return members.compactMap { object($0, context) }
        }
        guard let value = operand.scalar else { return nil }
        if case .objectID(let key) = value { return context.objectID(for: key) }
        if case .transformable(let bytes) = value, let field {
            return ValueTransformer.decode(bytes, field)
        }
        let plain = ValueConversion.object(value)
        guard let type,
            let converted = ValueConversion.value(plain, as: type)
                ?? ValueConversion.truncated(plain, as: type)
        else { return plain }
        return ValueConversion.object(converted)
    }
}
