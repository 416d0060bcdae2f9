// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store
import Traps

/// The rows of a batch insertion, as records.
///
/// They are made before the transaction begins: a transaction may start over, but handlers cannot
/// be asked for the same rows twice; and while it runs all other writers wait.
final class BatchRows {
    let runtime: EntityRuntime
    let table: EntityTable
    private(set) var arena: RowArena
    /// The references of rows that have any.
    private(set) var references: RowReferences?

    init(_ request: NSBatchInsertRequest, _ runtime: EntityRuntime, _ store: Store) throws {
        require(
            !runtime.entity.isAbstract,
            "entity \(runtime.entity.name) is abstract; insert objects of a subentity")
        self.runtime = runtime
        table = store.tables[runtime.ordinal]
        let maker = RowMaker(runtime)
        // A local: what a class keeps is checked for overlapping accesses with each row.
        var arena = BatchRows.makeArena(runtime, table)
        if let handler = request.managedObjectHandler {
            let scratch = maker.scratch
            while !handler(scratch) { try maker.append(to: &arena) }
        } else if let handler = request.dictionaryHandler {
            let dictionary = NSMutableDictionary()
            while !handler(dictionary) {
                for (key, value) in dictionary {
                    if let key = key as? String { try maker.set(value, key) }
                }
                try maker.append(to: &arena)
                dictionary.removeAllObjects()
            }
        } else {
            for dictionary in request.objectsToInsert ?? [] {
                for (key, value) in dictionary { try maker.set(value, key) }
                try maker.append(to: &arena)
            }
        }
        arena.seal()
        self.arena = arena
        references = nil
        if self.arena.count > 0 { try checkRelationships() }
    }

    /// Begins a batch of rows that are appended, with their references.
    init(_ form: RowForm, _ store: Store) {
        runtime = form.runtime
        table = store.tables[runtime.ordinal]
        arena = BatchRows.makeArena(runtime, table)
        references = RowReferences(form.references.map(\.inverse))
    }

    private static func makeArena(_ runtime: EntityRuntime, _ table: EntityTable) -> RowArena {
        RowArena(
            layout: table.layout,
            defaults: ContiguousArray(runtime.defaults.map { $0 ?? .null }))
    }

    /// Makes records of rows.
    ///
    /// - Throws: 1570 for a mandatory property without a value.
    func append(_ rows: PlainRows, _ form: RowForm) throws {
        let draft = runtime.makeDraft()
        try BatchRows.append(rows, form, draft, to: &arena)
        references?.destinations += rows.destinations
    }

    // Static, so that access to the arena is checked once for all rows.
    private static func append(
        _ rows: PlainRows, _ form: RowForm, _ draft: RecordDraft, to arena: inout RowArena
    ) throws {
        var (value, reference) = (0, 0)
        for _ in 0..<rows.count {
            for field in form.fields {
                let next = rows.values[value]
                if !next.isNull { draft[field] = next }
                value += 1
            }
            for place in form.references {
                if let key = rows.destinations[reference] { draft[place.field] = .objectID(key) }
                reference += 1
            }
            for field in form.mandatory where (draft[field] ?? .null).isNull {
                let runtime = form.runtime
                throw BatchValue.missing(runtime.fields[field], runtime, "row \(arena.count)")
            }
            arena.append(draft)
        }
    }

    /// Nothing is appended from now on.
    func seal() { arena.seal() }

    private func checkRelationships() throws {
        let mandatory = runtime.relationships
            .first { $0.relationship.needsDestination && !$0.relationship.isTransient }
        guard let mandatory else { return }
        let name = "\(runtime.entity.name).\(mandatory.relationship.name)"
        throw CoreDataError.make(
            .validationMissingMandatoryProperty,
            "\(name) is mandatory, and a batch insertion sets no relationships; insert the "
                + "objects through a context, or make the relationship optional",
            [NSValidationKeyErrorKey: mandatory.relationship.name])
    }
}

/// The destinations of a batch's rows, to be noted in the inverses of their relationships.
struct RowReferences {
    /// Of each relationship; `nil` without one.
    let inverses: [RelationshipTable?]
    /// Row by row.
    var destinations: ContiguousArray<ObjectKey?> = []

    init(_ inverses: [RelationshipTable?]) { self.inverses = inverses }

    /// Notes a row among the owners of its destinations.
    func link(_ row: Int, _ key: ObjectKey, _ transaction: SaveTransaction) {
        let first = row * inverses.count
        for index in inverses.indices {
            guard let inverse = inverses[index], let owner = destinations[first + index] else {
                continue
            }
            transaction.link(owner, to: key, inverse)
        }
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
            guard let bytes = ValueTransformer.bytes(of: value, field, runtime.entity.name) else {
                throw unfit(value, field, runtime)
            }
            return .transformable(bytes)
        }
        if let value = ValueConversion.value(any, as: field.type) { return value }
        throw unfit(any ?? "nil", field, runtime)
    }

    private static func unfit(
        _ value: Any, _ field: FieldRuntime, _ runtime: EntityRuntime
    ) -> CocoaError {
        CoreDataError.make(
            .persistentStoreOperation,
            "\(runtime.entity.name).\(field.name) is of type \(field.type) and cannot hold "
                + "\(value) of type \(type(of: value)); convert the value first",
            [NSValidationKeyErrorKey: field.name, NSValidationValueErrorKey: value])
    }

    /// The error for a mandatory attribute that would have no value.
    static func missing(
        _ field: FieldRuntime, _ runtime: EntityRuntime, _ place: String
    ) -> CocoaError {
        CoreDataError.make(
            .validationMissingMandatoryProperty,
            "\(runtime.entity.name).\(field.name) of \(place) is mandatory and has no value; give "
                + "it one, set a default, or make the attribute optional",
            [NSValidationKeyErrorKey: field.name])
    }
}
