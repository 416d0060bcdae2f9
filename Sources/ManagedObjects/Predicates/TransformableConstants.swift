// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// Puts the data that a transformer makes of a constant in the constant's place, where all that a
/// transformable attribute holds is compared with it.
///
/// So do `==`, `!=` and `IN`, and stores answer them without the transformer. Nothing is put in the
/// place of a value whose data may be of another order next time, see ``StableData``, nor of one
/// that the transformer does not take.
struct TransformableConstants {
    private let root: EntityRuntime
    /// The values of the program that the tree names.
    private let values: [BoundValue]
    /// Whether the attributes are to be read as their data, too, by objects in memory.
    private let namesData: Bool
    /// Whether data of an order of chance counts as data, to find out what else there is.
    var takesAll = false
    private var variables: [String: EntityRuntime] = [:]

    init(_ root: EntityRuntime, _ values: [BoundValue], namesData: Bool = false) {
        self.root = root
        self.values = values
        self.namesData = namesData
    }

    /// The predicate with data where there can be some.
    func replacing(_ predicate: PredicateTree) -> PredicateTree {
        switch predicate {
        case .constant: return predicate
        case .not(let operand): return .not(replacing(operand))
        case .and(let members): return .and(members.map(replacing))
        case .or(let members): return .or(members.map(replacing))
        case .comparison(let comparison): return .comparison(replacing(comparison))
        }
    }

    /// The predicates inside of an expression.
    private func replacing(_ expression: ExpressionTree) -> ExpressionTree {
        expression.replacing { part in
            switch part {
            case .subquery(let collection, let variable, let predicate):
                var inner = self
                inner.variables[variable] = self.entity(of: collection)
                return .subquery(
                    replacing(collection), variable: variable, inner.replacing(predicate))
            case .conditional(let predicate, let first, let second):
                return .conditional(
                    replacing(predicate), replacing(first), replacing(second))
            default: return nil
            }
        }
    }

    private func replacing(_ stated: Comparison) -> Comparison {
        var comparison = stated
        comparison.left = replacing(stated.left)
        comparison.right = replacing(stated.right)
        guard stated.comparesWholeValues, stated.options.isEmpty else { return comparison }
        if let field = field(of: stated.left),
            let data = constant(stated.right, field, isList: stated.operator == .in)
        {
            comparison.right = .constant(data)
            comparison.left = dataPath(comparison.left)
        } else if stated.operator != .in, let field = field(of: stated.right),
            let data = constant(stated.left, field, isList: false)
        {
            comparison.left = .constant(data)
            comparison.right = dataPath(comparison.right)
        }
        return comparison
    }

    /// The path to the data in place of one to what it stands for.
    private func dataPath(_ expression: ExpressionTree) -> ExpressionTree {
        guard namesData else { return expression }
        switch expression {
        case .keyPath(let keys): return .keyPath(TransformableConstants.dataPath(keys))
        case .member(let base, let keys):
            return .member(of: base, TransformableConstants.dataPath(keys))
        default: return expression
        }
    }

    private static func dataPath(_ keys: [String]) -> [String] {
        keys.dropLast() + keys.suffix(1).map { DataKey.name($0) }
    }
}

extension TransformableConstants {
    /// A transformable attribute and the entity that has it.
    private struct Field {
        let runtime: EntityRuntime
        let field: FieldRuntime
    }

    /// The transformable attribute that an expression is.
    private func field(of expression: ExpressionTree) -> Field? {
        switch expression {
        case .keyPath(let keys): field(at: keys[...], of: root)
        case .member(.variable(let name), let keys):
            variables[name].flatMap { field(at: keys[...], of: $0) }
        default: nil
        }
    }

    private func field(at keys: ArraySlice<String>, of start: EntityRuntime) -> Field? {
        guard let key = keys.last else { return nil }
        var runtime = start
        for key in keys.dropLast() where key != "self" {
            guard let step = runtime.relationship(named: key) else { return nil }
            runtime = step.destination
        }
        // An attribute of a subentity may be asked for as well.
        for runtime in runtime.family {
            guard case .field(let position)? = runtime.references[key],
                runtime.fieldTypes[position] == .transformable
            else { continue }
            return Field(runtime: runtime, field: runtime.fields[position])
        }
        return nil
    }

    /// The entity of the members of a collection.
    private func entity(of collection: ExpressionTree) -> EntityRuntime? {
        switch collection {
        case .keyPath(let keys): entity(at: keys, of: root)
        case .variable(let name): variables[name]
        case .member(.variable(let name), let keys):
            variables[name].flatMap { entity(at: keys, of: $0) }
        case .subquery(let inner, _, _): entity(of: inner)
        default: nil
        }
    }

    private func entity(at keys: [String], of start: EntityRuntime) -> EntityRuntime? {
        var runtime = start
        for key in keys {
            guard let step = runtime.relationship(named: key) else { return nil }
            runtime = step.destination
        }
        return runtime
    }

    /// The data of a constant; nil for what is no constant and for what has no data.
    private func constant(
        _ expression: ExpressionTree, _ field: Field, isList: Bool
    ) -> Operand? {
        guard let stated = stated(expression) else { return nil }
        guard isList else { return data(of: stated, field).map { .value($0) } }
        let members =
            PredicateConversion.isDictionary(stated)
            ? DictionarySubject(stated)?.values : KeyPathValue.members(of: stated)?.elements
        guard let members else { return nil }
        var result: [Operand] = []
        for member in members {
            guard let data = data(of: member, field) else { return nil }
            result.append(.value(data))
        }
        return .list(result)
    }

    /// A constant as the program has it; nil for nil, which needs no data, and for an expression.
    private func stated(_ expression: ExpressionTree) -> Any? {
        if let operand = expression.constantOperand { return Self.stated(operand) }
        guard case .variable(let name) = expression, let index = StandIn.index(name),
            case .constant(let constant) = values[index], constant.known?.holdsObjects != true
        else { return nil }
        let value = ValueConversion.unwrapped(constant.stated)
        return value is NSNull ? nil : value
    }

    private static func stated(_ operand: Operand) -> Any? {
        switch operand {
        case .value(.objectID): return nil
        case .value(let value): return ValueConversion.object(value)
        case .list(let members):
            var result: [Any] = []
            for member in members {
                if member == .value(.null) {
                    result.append(NSNull())
                } else if let value = stated(member) {
                    result.append(value)
                } else {
                    return nil
                }
            }
            return result
        }
    }

    /// The data of one value: data is the stored form itself.
    private func data(of value: Any, _ field: Field) -> Value? {
        guard let value = ValueConversion.unwrapped(value), !(value is NSNull) else {
            return .null
        }
        if let data = value as? Data { return .transformable(Array(data)) }
        guard
            let bytes = ValueTransformer.bytes(
                of: value, field.field, field.runtime.entity.name),
            takesAll || StableData.isStable(bytes, of: value)
        else { return nil }
        return .transformable(bytes)
    }
}

extension Operand {
    /// Whether this is an object or a list with one.
    fileprivate var holdsObjects: Bool {
        switch self {
        case .value(.objectID): true
        case .value: false
        case .list(let members): members.contains(where: \.holdsObjects)
        }
    }
}

extension Comparison {
    /// Whether it compares all that its sides hold, each by itself.
    var comparesWholeValues: Bool {
        guard modifier == .direct else { return false }
        return `operator` == .equalTo || `operator` == .notEqualTo || `operator` == .in
    }
}

/// The key of the data of a transformable attribute, which no format can name.
enum DataKey {
    static func name(_ key: String) -> String { "%" + key }

    /// The attribute whose data a key names.
    static func attribute(_ key: String) -> String? {
        key.utf8.first == UInt8(ascii: "%") ? String(key.dropFirst()) : nil
    }
}
