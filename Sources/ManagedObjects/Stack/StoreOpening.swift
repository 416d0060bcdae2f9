// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store

/// Opens the file behind a store: checks type and options, makes room for memory stores.
struct StoreOpening {
    let type: String
    let url: URL?
    let options: [AnyHashable: Any]
    let model: CompiledModel

    func open(configuration: String?) throws -> NSPersistentStore {
        guard [NSSQLiteStoreType, NSInMemoryStoreType, LodeStoreType].contains(type) else {
            throw CoreDataError.make(
                .persistentStoreInvalidType,
                "store type \(type) is unknown; use NSSQLiteStoreType or NSInMemoryStoreType")
        }
        guard configuration == nil else {
            throw CoreDataError.make(
                .persistentStoreIncompatibleSchema,
                "model configurations are not supported yet; leave the configuration out")
        }
        if type == NSInMemoryStoreType || url?.path == "/dev/null" { return try openInMemory() }
        guard let url, url.isFileURL else {
            throw CoreDataError.make(
                .persistentStoreOpen,
                "a store needs a file URL, not \(url?.absoluteString ?? "nil")")
        }
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let store = try CoreDataError.mapping {
            try Store.open(
                at: url.path, schema: model.schema, uuid: UUIDValue(UUID()), options: storeOptions)
        }
        return NSPersistentStore(
            type: type, url: url, store: store, options: options, configurationName: configuration,
            temporaryDirectory: nil)
    }

    /// A memory store is a file nobody else can name, which goes with its last user.
    private func openInMemory() throws -> NSPersistentStore {
        let directory = try TemporaryDirectory()
        var storeOptions = StoreOptions()
        storeOptions.durability = .none
        let path = directory.url.appendingPathComponent("memory.lode").path
        let store = try CoreDataError.mapping {
            try Store.open(
                at: path, schema: model.schema, uuid: UUIDValue(UUID()), options: storeOptions)
        }
        return NSPersistentStore(
            type: type, url: url, store: store, options: options, configurationName: nil,
            temporaryDirectory: directory)
    }

    private var storeOptions: StoreOptions {
        var result = StoreOptions()
        result.isReadOnly =
            (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
        switch options[LodeDurabilityOption] as? String {
        case "relaxed": result.durability = .relaxed
        case "none": result.durability = .none
        default: result.durability = .full
        }
        return result
    }
}
