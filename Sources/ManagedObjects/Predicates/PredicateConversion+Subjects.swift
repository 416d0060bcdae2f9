// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Query
import Schema

/// Values of programs as what predicates are evaluated with in memory.
extension PredicateConversion {
    /// A value, object, dictionary or collection as predicates see it.
    static func subject(_ value: Any?) -> SubjectOperand {
        if let plain = plain(value) { return .value(plain) }
        guard let value = ValueConversion.unwrapped(value) else { return .value(.null) }
        if isSwiftCollection(value) { return swiftSubject(value) }
        if let object = value as? NSManagedObject {
            return .subject(ObjectSubject(object, readsAll: true))
        }
        if let entity = value as? NSEntityDescription {
            return .subject(EntitySubject(name: entity.name ?? ""))
        }
        if let scalar = scalar(value) { return .value(scalar) }
        if let table = DictionarySubject(value) { return .subject(table) }
        if let members = KeyPathValue.members(of: value)?.elements {
            return .collection(members.map { subject($0) })
        }
        return .subject(ReadableSubject(base: value))
    }

    /// A collection of Swift, which no cast to a class may see, see ``isSwiftCollection(_:)``.
    private static func swiftSubject(_ value: Any) -> SubjectOperand {
        if let members = swiftMembers(of: value) { return .collection(members.map { subject($0) }) }
        if let scalar = plainScalar(value) { return .value(scalar) }
        if let table = DictionarySubject(value) { return .subject(table) }
        let members = KeyPathValue.members(of: value)?.elements ?? []
        return .collection(members.map { subject($0) })
    }

    /// The value of a text or of data.
    private static func plainScalar(_ value: Any) -> Value? {
        switch value {
        case let text as any StringProtocol: .string(String(text))
        case let data as Data: .binaryData(Array(data))
        default: nil
        }
    }

    /// A predicate with its constants as an object's attributes need them, see
    /// `Query.ConstantCoercion`; those that fit no attribute stay.
    static func coerced(_ tree: PredicateTree, for object: NSManagedObject?) -> PredicateTree {
        guard let runtime = object?.runtime, let schema = runtime.model?.schema else { return tree }
        let coercion = ConstantCoercion(schema, entity: runtime.entity.name, isStrict: false)
        return (try? coercion.coerced(tree)) ?? tree
    }
}

/// A dictionary as predicates see it: nil for a key that it lacks, its values as a collection.
struct DictionarySubject: PredicateSubject {
    /// The dictionary as it was given.
    let base: Any
    private let table: Table

    private enum Table {
        case foundation(NSDictionary)
        case named([String: Any])
        case hashed([AnyHashable: Any])
    }

    /// - Returns: `nil` for anything but a dictionary.
    init?(_ value: Any) {
        base = value
        if let table = PredicateConversion.instance(value, of: NSDictionary.self) {
            self.table = .foundation(table)
        } else if let table = value as? [String: Any] {
            self.table = .named(table)
        } else if let table = value as? [AnyHashable: Any] {
            self.table = .hashed(table)
        } else {
            return nil
        }
    }

    subscript(key: String) -> Any? {
        switch table {
        case .foundation(let table): table[key]
        case .named(let table): table[key]
        case .hashed(let table): table[key] ?? table[NSString(string: key)]
        }
    }

    var predicateIdentity: ObjectKey? { nil }

    var predicateMembers: [SubjectOperand]? { values.map { PredicateConversion.subject($0) } }

    /// The values, in no order.
    var values: [Any] {
        switch table {
        case .foundation(let table): table.allValues
        case .named(let table): Array(table.values)
        case .hashed(let table): Array(table.values)
        }
    }

    func isSame(as other: any PredicateSubject) -> Bool {
        (other as? DictionarySubject).map { StructuralEquality.equal(base, $0.base) } ?? false
    }

    func predicateOperand(forKey key: String) throws -> SubjectOperand {
        if let value = self[key] { return PredicateConversion.subject(value) }
        return key == "self" ? .subject(self) : .value(.null)
    }
}

/// Any other object or value as predicates see it: its stored properties.
struct ReadableSubject: PredicateSubject {
    let base: Any

    var predicateIdentity: ObjectKey? { nil }

    func predicateOperand(forKey key: String) throws -> SubjectOperand {
        if key == "self" { return .subject(self) }
        if let value = ReadableSubject.property(key, of: base) {
            return PredicateConversion.subject(value)
        }
        throw PredicateEvaluationError(
            code: .invalidKey,
            message: "\(base) of type \(type(of: base)) has no stored property \(key)")
    }

    func isSame(as other: any PredicateSubject) -> Bool {
        guard let other = other as? ReadableSubject else { return false }
        if let one = base as? any Equatable { return ReadableSubject.isSame(one, other.base) }
        // A class without an equality of its own has that of its instances' identity.
        guard type(of: base) is AnyClass, type(of: other.base) is AnyClass else { return false }
        return base as AnyObject === other.base as AnyObject
    }

    private static func isSame<Value: Equatable>(_ one: Value, _ other: Any) -> Bool {
        if let other = other as? Value { return one == other }
        return false
    }

    /// A stored property of an object or value; nil if it has none of the name.
    static func property(_ key: String, of base: Any) -> Any? {
        var mirror: Mirror? = Mirror(reflecting: base)
        while let level = mirror {
            if let child = level.children.first(where: { $0.label == key }) { return child.value }
            mirror = level.superclassMirror
        }
        return nil
    }
}
