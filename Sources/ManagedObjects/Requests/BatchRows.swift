// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store

/// The rows of a batch insertion, as records.
///
/// They are made before the transaction begins: a transaction may start over, but nobody can ask
/// handlers for the same rows twice, and while it runs all other writers wait.
final class BatchRows {
    let runtime: EntityRuntime
    let table: EntityTable
    private(set) var arena = RowArena()
    /// The values that belong outside their records, by row.
    private(set) var externals: [Int: [ExternalValue]] = [:]

    init(_ request: NSBatchInsertRequest, _ runtime: EntityRuntime, _ store: Store) throws {
        precondition(
            !runtime.entity.isAbstract,
            "entity \(runtime.entity.name) is abstract; insert objects of a subentity")
        self.runtime = runtime
        table = store.tables[runtime.ordinal]
        let scratch = runtime.objectClass.init(entity: runtime.description, insertInto: nil)
        // Setters have nobody to tell.
        scratch.flags = .untracked
        scratch.draft = runtime.makeDraft()
        var encoder = RecordEncoder()
        if let handler = request.managedObjectHandler {
            while !handler(scratch) { append(scratch, &encoder) }
        } else if let handler = request.dictionaryHandler {
            let dictionary = NSMutableDictionary()
            while !handler(dictionary) {
                for (key, value) in dictionary {
                    if let key = key as? String { try set(value, key, scratch) }
                }
                append(scratch, &encoder)
                dictionary.removeAllObjects()
            }
        } else {
            for dictionary in request.objectsToInsert ?? [] {
                for (key, value) in dictionary { try set(value, key, scratch) }
                append(scratch, &encoder)
            }
        }
        if arena.count > 0 { try checkRelationships() }
    }

    private func append(_ scratch: NSManagedObject, _ encoder: inout RecordEncoder) {
        if runtime.hasRelationships { dropRelationships(of: scratch) }
        let record = encoder.encode(
            layout: table.layout, version: 1, base: nil, draft: scratch.draft, resolve: { $0 })
        if encoder.hasExternalValues { externals[arena.count] = encoder.externalValues }
        arena.append(record)
        if scratch.extras != nil { scratch.extras = nil }
        guard let draft = scratch.draft else { return }
        let defaults = runtime.defaults
        for field in defaults.indices { _ = draft.exchange(field, defaults[field] ?? .null) }
    }

    private func dropRelationships(of scratch: NSManagedObject) {
        for relationship in runtime.toOneRelationships where relationship.field >= 0 {
            scratch.draft?[relationship.field] = .null
        }
    }

    /// Sets an attribute; any other key is ignored.
    private func set(_ value: Any, _ key: String, _ scratch: NSManagedObject) throws {
        guard case .field(let position)? = runtime.references[key] else { return }
        let field = runtime.fields[position]
        guard !field.isRelationship, field.isStored else { return }
        scratch.draft?[position] = try BatchValue.value(value, field, runtime)
    }

    private func checkRelationships() throws {
        let mandatory = runtime.relationships
            .first { !$0.relationship.isOptional && !$0.relationship.isTransient }
        guard let mandatory else { return }
        let name = "\(runtime.entity.name).\(mandatory.relationship.name)"
        throw CoreDataError.make(
            .validationMissingMandatoryProperty,
            "\(name) is mandatory, and a batch insertion sets no relationships; insert the "
                + "objects through a context, or make the relationship optional",
            [NSValidationKeyErrorKey: mandatory.relationship.name])
    }
}

/// Values as batch requests take them.
enum BatchValue {
    /// The stored form of a value for an attribute.
    ///
    /// - Throws: 134070 for a value that the attribute cannot hold.
    static func value(_ any: Any?, _ field: FieldRuntime, _ runtime: EntityRuntime) throws -> Value
    {
        if field.type == .transformable, let value = ValueConversion.unwrapped(any) {
            return .transformable(ValueTransformer.encode(value, field, runtime.entity.name))
        }
        if let value = ValueConversion.value(any, as: field.type) { return value }
        throw CoreDataError.make(
            .persistentStoreOperation,
            "\(runtime.entity.name).\(field.name) is of type \(field.type) and cannot hold "
                + "\(any ?? "nil"); convert the value first")
    }
}
