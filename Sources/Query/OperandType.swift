// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// The type of an expression, as far as the model determines it.
struct OperandType {
    enum Kind: Hashable {
        /// Known in evaluation only.
        case unknown
        /// A value of a type.
        case value(AttributeType)
        /// An object of an entity.
        case object(String)
    }

    var kind: Kind
    /// Whether there are several of them.
    var isCollection = false
    /// The entity and property that the type is of, for messages.
    var name: String { owner.isEmpty ? property : "\(owner).\(property)" }
    /// The entity that the property is of; empty for a column, and for what is no property.
    private(set) var owner = ""
    /// The property or the column.
    var property = ""

    init(kind: Kind, isCollection: Bool = false, property: String = "", of owner: String = "") {
        self.kind = kind
        self.isCollection = isCollection
        self.property = property
        self.owner = owner
    }

    static let unknown = OperandType(kind: .unknown)

    /// Whether it is one value or one object; a transformable value may be a collection.
    var isOne: Bool { !isCollection && kind != .unknown && kind != .value(.transformable) }

    static func value(_ type: AttributeType) -> OperandType { OperandType(kind: .value(type)) }

    /// What the type is, for messages.
    var text: String {
        let what =
            switch kind {
            case .unknown: "of any type"
            case .value(let type): "of type \(type)"
            case .object(let entity): "an object of \(entity)"
            }
        return name.isEmpty ? "a value \(what)" : "\(name), which is \(what),"
    }

    /// Whether predicates compare values of both.
    func isComparable(to other: OperandType) -> Bool {
        switch (kind, other.kind) {
        case (.unknown, _), (_, .unknown), (.object, .object): true
        case (.value(let one), .value(let other)): one.isComparable(to: other)
        case (.object, .value(let type)), (.value(let type), .object): type == .objectID
        }
    }
}

/// Finds the types of expressions on the objects of an entity.
///
/// Ignores keys that do not exist; ``PredicateChecker`` reports them.
struct OperandTypes {
    let schema: Schema
    var root: OperandType
    /// The types of variables, by name.
    var variables: [String: OperandType] = [:]
    /// The types of keys that are read before the object's own, by name.
    var columns: [String: OperandType] = [:]

    /// Adds the variable that stands for one member of a collection.
    mutating func addMember(_ variable: String, of collection: Expression) {
        var member = type(of: collection)
        member.isCollection = false
        variables[variable] = member
    }

    func type(of expression: Expression) -> OperandType {
        switch expression {
        case .constant: .unknown
        case .evaluatedObject: root
        case .variable(let name): variables[name] ?? .unknown
        case .keyPath(let keys):
            columns[keys[0]].map { follow($0, keys.dropFirst()) }
                ?? follow(root, keys[...])
        case .member(let base, let keys): follow(type(of: base), keys[...])
        case .aggregate(let members): several(members)
        case .function(let name, let arguments): function(name, arguments)
        case .subquery(let collection, _, _): type(of: collection)
        case .conditional(_, let first, let second):
            several([first, second], isCollection: false)
        }
    }

    /// The type of the first one, where all have types that predicates compare with each other.
    private func several(_ members: [Expression], isCollection: Bool = true) -> OperandType {
        var found = OperandType.unknown
        var isMixed = false
        for member in members {
            var type = type(of: member)
            if case .constant(.value(let value)) = member {
                guard let own = value.type else { continue }
                type = .value(own)
            }
            if type.kind == .unknown || !found.isComparable(to: type) { isMixed = true }
            if found.kind == .unknown { found = type }
        }
        if isMixed { found = OperandType(kind: .unknown, isCollection: found.isCollection) }
        found.isCollection = isCollection || found.isCollection
        return found
    }

    private func follow(_ start: OperandType, _ keys: ArraySlice<String>) -> OperandType {
        guard let key = keys.first else { return start }
        let rest = keys.dropFirst()
        if key.utf8.first == 0x40 { return operation(key, start, rest) }
        switch start.kind {
        case .unknown: return .unknown
        case .value(let type):
            var next = member(key, of: type, start)
            next.isCollection = start.isCollection
            return follow(next, rest)
        case .object(let name): return follow(member(key, of: name, start), rest)
        }
    }

    /// What a value itself has.
    private func member(
        _ key: String, of type: AttributeType, _ start: OperandType
    ) -> OperandType {
        if type.isText { return textMember(key, start) }
        if key == "self" { return start }
        return type == .date && key.hasPrefix("timeIntervalSince") ? .value(.double) : .unknown
    }

    private func textMember(_ key: String, _ start: OperandType) -> OperandType {
        switch key {
        case "length": .value(.integer64)
        case "self", "lowercaseString", "uppercaseString", "capitalizedString", "name": start
        default: .unknown
        }
    }

    private func member(_ key: String, of name: String, _ start: OperandType) -> OperandType {
        guard let entity = schema.entity(name) else { return .unknown }
        var next = OperandType(
            kind: .unknown, isCollection: start.isCollection, property: key, of: name)
        if let attribute = entity.attribute(key) {
            next.kind = .value(attribute.type)
        } else if let relationship = entity.relationship(key) {
            next.kind = .object(relationship.destination)
            next.isCollection = start.isCollection || relationship.isToMany
        } else if KeyPathResolver.isIdentity(key, of: entity) {
            next.kind = .object(name)
        } else if KeyPathResolver.isEntity(key, of: entity) {
            next.kind = .value(.string)
        }
        return next
    }

    /// A collection operator applies to what the keys behind it yield.
    private func operation(
        _ name: String, _ start: OperandType, _ keys: ArraySlice<String>
    ) -> OperandType {
        switch name {
        case "@count": return keys.isEmpty ? .value(.integer64) : .unknown
        case "@sum", "@avg": return .value(.double)
        case "@min", "@max":
            var found = follow(start, keys)
            found.isCollection = false
            return found
        default:
            guard name.hasPrefix("@unionOf") || name.hasPrefix("@distinctUnionOf") else {
                return .unknown
            }
            return follow(start, keys)
        }
    }

    private func function(_ name: String, _ arguments: [Expression]) -> OperandType {
        switch name {
        case "sum:", "count:", "average:", "median:", "stddev:", "length:", FunctionName.size,
            FunctionName.multiply, FunctionName.divide, FunctionName.power, "modulus:by:", "abs:",
            "floor:", "ceiling:", "trunc:", "sqrt:", "log:", "ln:", "exp:":
            return .value(.double)
        case FunctionName.add, FunctionName.subtract: return sum(name, arguments)
        case FunctionName.cast: return cast(arguments)
        case _ where BitOperation.isFunction(name): return .value(.integer64)
        case "uppercase:", "lowercase:", "canonical:": return .value(.string)
        case "now": return .value(.date)
        case "min:", "max:", FunctionName.first, FunctionName.last, "noindex:":
            guard arguments.count == 1 else { return .unknown }
            var found = type(of: arguments[0])
            if name != "noindex:" { found.isCollection = false }
            return found
        case FunctionName.index:
            // A text is a key, of a collection too.
            guard arguments.count == 2, case .value(let place)? = arguments[1].constantOperand,
                place.type?.isNumeric == true
            else { return .unknown }
            var found = type(of: arguments[0])
            guard found.isCollection else { return .unknown }
            found.isCollection = false
            return found
        default: return .unknown
        }
    }

    /// The type of a sum or difference: of numbers, of a date and seconds, or of two dates.
    private func sum(_ name: String, _ arguments: [Expression]) -> OperandType {
        // Each argument is looked at once: twice for each level would be for ever.
        var dateCount = 0
        for argument in arguments {
            let found = oneOrMany(argument)
            if found.kind == .value(.date), !found.isCollection {
                dateCount += 1
            } else if case .value(let type) = found.kind, type.isNumeric {
                continue
            } else {
                return .unknown
            }
        }
        switch dateCount {
        case 0: return .value(.double)
        case 1: return .value(.date)
        default: return name == FunctionName.subtract ? .value(.double) : .unknown
        }
    }

    private func cast(_ arguments: [Expression]) -> OperandType {
        guard arguments.count == 2, case .value(let name)? = arguments[1].constantOperand else {
            return .unknown
        }
        return switch name.text {
        case "NSString": .value(.string)
        case "NSNumber", "double": .value(.double)
        case "NSDecimalNumber": .value(.decimal)
        case "NSDate": .value(.date)
        case "NSUUID": .value(.uuid)
        case "NSURL": .value(.uri)
        case "NSData": .value(.binaryData)
        case "boolean": .value(.boolean)
        case "float": .value(.float)
        default: .unknown
        }
    }

    /// The type of an operand of a sum, of a constant too.
    private func oneOrMany(_ expression: Expression) -> OperandType {
        guard case .constant(.value(let value)) = expression else { return type(of: expression) }
        return value.type.map { .value($0) } ?? .unknown
    }
}
