// SPDX-License-Identifier: Apache-2.0

import Foundation
import Query
import RecordFormat
import Schema
import Store

/// What a batch update sets in the records of one entity.
final class BatchAssignments {
    struct Computed {
        let field: FieldRuntime
        let position: Int
        let expression: RecordExpression
    }

    struct Reference {
        let position: Int
        /// The destination; `nil` for none.
        let destination: ObjectKey?
        let relationship: RelationshipRuntime
    }

    let runtime: EntityRuntime
    let table: EntityTable
    let draft: RecordDraft
    private(set) var computed: [Computed] = []
    private(set) var references: [Reference] = []
    /// The fields that are set, see ``RecordDraft/setFields(_:)``; `nil` for too many to say.
    private(set) var changedFields: UInt64 = 0

    /// Reads the values of a request.
    ///
    /// - Throws: 134070 for what does not fit the entity, 1570 for no value of a mandatory
    ///   attribute and for no destination of a mandatory relationship.
    init(_ values: [String: Any], _ runtime: EntityRuntime, _ store: Store) throws {
        guard values.isEmpty || !(runtime.objectClass is any DerivedEntries.Type) else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "a batch update cannot change \(runtime.entity.name): its class keeps entries "
                    + "elsewhere; change the objects in a context")
        }
        self.runtime = runtime
        table = store.tables[runtime.ordinal]
        draft = RecordDraft.make(fieldCount: table.layout.fields.count)
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            try assign(value, name, in: store)
        }
    }

    /// Whether records can be patched: the fields are all told by ``changedFields``.
    var isPatch: Bool { table.layout.fields.count <= 63 }

    private func assign(_ value: Any, _ name: String, in store: Store) throws {
        guard case .field(let position)? = runtime.references[name],
            runtime.fields[position].isStored
        else {
            throw failure(name, "is no stored attribute or to-one relationship of the entity")
        }
        let field = runtime.fields[position]
        changedFields |= 1 << UInt64(min(position, 63))
        if field.isRelationship { return try refer(to: value, position, name, in: store) }
        if let expression = value as? NSExpression {
            let tree = try expression.tree(in: nil)
            if let constant = tree.constantOperand {
                guard case .value(let scalar) = constant else {
                    throw failure(name, "takes one value, not a collection")
                }
                draft[position] = try plain(ValueConversion.object(scalar), field)
                return
            }
            computed.append(
                Computed(
                    field: field, position: position,
                    expression: RecordExpression(tree)))
            return
        }
        draft[position] = try plain(value, field)
    }

    private func plain(_ value: Any?, _ field: FieldRuntime) throws -> Value {
        let stored = try BatchValue.value(value, field, runtime)
        if stored.isNull { try checkOptional(field) }
        return stored
    }

    /// Throws 1570 where an attribute must have a value.
    func checkOptional(_ field: FieldRuntime) throws {
        guard field.attribute?.isOptional == false else { return }
        throw BatchValue.missing(field, runtime, "the updated objects")
    }

    private func refer(
        to value: Any, _ position: Int, _ name: String, in store: Store
    ) throws {
        guard let relationship = runtime.relationship(named: name) else { return }
        let plain = ValueConversion.unwrapped(BatchAssignments.constant(value))
        let id = plain as? NSManagedObjectID ?? (plain as? NSManagedObject)?.objectID
        let key = id?.currentKey
        if plain != nil, key?.isTemporary != false {
            throw failure(name, "takes the ID of a saved object or NSNull")
        }
        if let id, let other = id.currentStore?.identity, other != store.uuid.description {
            throw CoreDataError.make(
                .managedObjectReferentialIntegrity,
                "the destination \(id) of \(runtime.entity.name).\(name) is in another store")
        }
        if key == nil, relationship.relationship.needsDestination {
            throw CoreDataError.make(
                .validationMissingMandatoryProperty,
                "\(runtime.entity.name).\(name) is mandatory; a batch update cannot clear it",
                [NSValidationKeyErrorKey: name])
        }
        if relationship.hasInverse,
            relationship.destination.relationship(
                named: relationship.relationship.inverse ?? "")?.isToMany != true
        {
            throw failure(name, "has a to-one inverse, which a batch cannot keep up to date")
        }
        draft[position] = key.map { .objectID($0) } ?? .null
        references.append(
            Reference(position: position, destination: key, relationship: relationship))
    }

    /// The value of a constant expression, `NSNull` for nil; anything else as it is.
    static func constant(_ value: Any) -> Any {
        guard let expression = value as? NSExpression,
            expression.expressionType == .constantValue
        else { return value }
        return expression.constantValue ?? NSNull()
    }

    private func failure(_ name: String, _ what: String) -> CocoaError {
        CoreDataError.make(
            .persistentStoreOperation,
            "a batch update cannot set \(runtime.entity.name).\(name): it \(what)")
    }
}
