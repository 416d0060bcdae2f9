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
    let arena: RowArena

    init(_ request: NSBatchInsertRequest, _ runtime: EntityRuntime, _ store: Store) throws {
        require(
            !runtime.entity.isAbstract,
            "entity \(runtime.entity.name) is abstract; insert objects of a subentity")
        self.runtime = runtime
        table = store.tables[runtime.ordinal]
        let maker = RowMaker(runtime)
        // A local: what a class keeps is checked for overlapping accesses with each row.
        var arena = RowArena(
            layout: table.layout,
            defaults: ContiguousArray(runtime.defaults.map { $0 ?? .null }))
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
        if self.arena.count > 0 { try checkRelationships() }
    }

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
