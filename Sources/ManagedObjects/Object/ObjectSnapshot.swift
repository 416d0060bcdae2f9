// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// The values of an object at one moment, safe to hand to any queue.
///
/// ```swift
/// let snapshot = await context.perform { player.snapshot() }
/// let score: Int? = snapshot["score"]
/// ```
///
/// Attributes have their plain Swift values, integers of all widths as `Int64`; relationships are
/// the object IDs of their destinations. It takes the place of the object where only values are
/// wanted: an object itself belongs to its context's queue.
public struct ObjectSnapshot: Sendable {
    /// The object.
    public let objectID: NSManagedObjectID
    /// The name of its entity.
    public let entityName: String
    /// The values of the attributes that have one.
    ///
    /// Their types are `Int64`, `Decimal`, `Double`, `Float`, `String`, `Bool`, `Date`, `UUID`,
    /// `URL`, `Data` and `NSManagedObjectID`; a transformable attribute is the data that its
    /// transformer made.
    public let attributes: [String: any Sendable]
    private let relationships: [String: [NSManagedObjectID]]

    /// The value of an attribute as a type; `nil` for no value or for one of another type.
    ///
    /// Integers convert to every integer type that can hold them.
    ///
    /// ```swift
    /// let age: Int? = snapshot["age"]
    /// ```
    public subscript<Result>(attribute: String, as type: Result.Type = Result.self) -> Result? {
        guard let value = attributes[attribute] else { return nil }
        if let result = value as? Result { return result }
        guard let number = value as? Int64, let integer = type as? any FixedWidthInteger.Type else {
            return nil
        }
        return ObjectSnapshot.convert(number, to: integer) as? Result
    }

    /// The destinations of a relationship of either kind; empty for none and for an unknown name.
    ///
    /// Those of an ordered relationship are in order.
    public func objectIDs(forRelationshipNamed name: String) -> [NSManagedObjectID] {
        relationships[name] ?? []
    }

    private static func convert<Integer: FixedWidthInteger>(
        _ number: Int64, to type: Integer.Type
    ) -> Integer? {
        Integer(exactly: number)
    }

    init(_ object: NSManagedObject) {
        objectID = object.objectID
        entityName = object.runtime.entity.name
        var attributes: [String: any Sendable] = [:]
        var relationships: [String: [NSManagedObjectID]] = [:]
        for (position, field) in object.runtime.fields.enumerated() {
            let value = object.fieldValue(position)
            guard field.isRelationship else {
                attributes[field.name] = ObjectSnapshot.plain(value, object)
                continue
            }
            guard case .objectID(let key) = value, let id = object.relatedID(key)
            else { continue }
            relationships[field.name] = [id]
        }
        for relationship in object.runtime.toManyRelationships {
            relationships[relationship.relationship.name] =
                object.members(relationship).compactMap { object.relatedID($0) }
        }
        self.attributes = attributes
        self.relationships = relationships
    }

    private static func plain(_ value: Value, _ object: NSManagedObject) -> (any Sendable)? {
        switch value {
        case .null: nil
        case .integer16(let number): Int64(number)
        case .integer32(let number): Int64(number)
        case .integer64(let number): number
        case .decimal(let number): Decimal(number)
        case .double(let number): number
        case .float(let number): number
        case .string(let text): text
        case .boolean(let flag): flag
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .binaryData(let bytes), .transformable(let bytes): Data(bytes)
        case .uuid(let uuid): UUID(uuid)
        case .uri(let text): URL(string: text)
        case .objectID(let key): object.context?.objectID(for: key)
        }
    }
}

extension __OwnMembers where Self: NSManagedObject {
    /// The object's values now, unsaved ones included, in a form that may leave its queue.
    ///
    /// Fires a fault. Relationships come as object IDs; no destination is loaded.
    ///
    /// - Complexity: O(attributes and destinations).
    public func snapshot() -> ObjectSnapshot {
        context?.checkQueue(self)
        return ObjectSnapshot(self)
    }
}
