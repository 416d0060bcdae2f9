// SPDX-License-Identifier: Apache-2.0

import Foundation
import Lode
import Schema

enum MigrationSamples {
    static func describe(_ url: URL) -> NSPersistentStoreDescription {
        // SAMPLE: Migration.md
        let description = NSPersistentStoreDescription(url: url)
        // Both are true from the start.
        description.shouldMigrateStoreAutomatically = true
        description.shouldInferMappingModelAutomatically = true
        // SAMPLE: end
        return description
    }

    static func allow(_ url: URL) -> NSPersistentStoreDescription {
        // SAMPLE: Migration.md
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(true as NSNumber, forKey: LodeMigrationMayRemoveOption)
        // SAMPLE: end
        return description
    }

    static func add(_ coordinator: NSPersistentStoreCoordinator, _ url: URL) throws {
        // SAMPLE: Migration.md
        try coordinator.addPersistentStore(
            type: .sqlite, at: url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true,
                NSInferMappingModelAutomaticallyOption: true,
            ])
        // SAMPLE: end
    }

    static func list(_ url: URL, _ model: NSManagedObjectModel) throws {
        // SAMPLE: Migration.md
        let stored = try NSManagedObjectModel.stored(at: url)
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: stored, destinationModel: model)
        for entity in mapping.entityMappings { print(entity.name ?? "") }  // IEM_Transform_Book …
        // SAMPLE: end
    }

    static func infer(_ url: URL, _ model: NSManagedObjectModel) throws {
        // SAMPLE: NSMappingModel.swift
        let stored = try NSManagedObjectModel.stored(at: url)
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: stored, destinationModel: model)
        for entity in mapping.entityMappings { print(entity.name ?? "") }
        // SAMPLE: end
    }

    static func removed(from stored: Schema, by model: Schema) throws {
        // SAMPLE: SchemaMapping.swift
        let mapping = try SchemaMapping(from: stored, to: model)
        for entity in mapping.entities where entity.kind == .remove { print(entity.source ?? "") }
        // SAMPLE: end
    }
}
