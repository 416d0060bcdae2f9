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
    /// Whether the options may ask for a migration.
    var mayMigrate = true

    private var migration: MigrationRequest { mayMigrate ? MigrationRequest(options) : .none }

    func open(configuration: String?) throws -> NSPersistentStore {
        guard [NSSQLiteStoreType, NSInMemoryStoreType, LodeStoreType].contains(type) else {
            throw CoreDataError.make(
                .persistentStoreInvalidType,
                "store type \(type) is unknown; use NSSQLiteStoreType or NSInMemoryStoreType")
        }
        if type == NSInMemoryStoreType || url?.filePath == "/dev/null" {
            return try openInMemory(configuration)
        }
        guard let url else {
            throw CoreDataError.make(
                .persistentStoreOpen, "a store needs a file URL, not nil")
        }
        let path = try url.storePath()
        let storeOptions = try storeOptions()
        if !storeOptions.isReadOnly { try makeFolder(of: path) }
        let store: Store
        do {
            store = try CoreDataError.mapping {
                try Store.open(
                    at: path, schema: model.schema, uuid: .random(), options: storeOptions)
            }
        } catch let error as CocoaError {
            throw explained(error, url)
        }
        return NSPersistentStore(
            type: type, url: url, store: store, options: options, configurationName: configuration,
            isInMemory: false)
    }

    /// The error of a file of another model, with the reason and with what the file says of itself;
    /// any other error as it is.
    private func explained(_ error: CocoaError, _ url: URL) -> CocoaError {
        var code = error.code
        var info = error.userInfo
        switch code {
        case .persistentStoreIncompatibleVersionHash where migration == .stated:
            code = .migrationMissingMappingModel
        case .persistentStoreIncompatibleVersionHash, .migration, .migrationMissingMappingModel:
            break
        default: return error
        }
        info["reason"] = error.message
        info["metadata"] = (try? StoreMetadata.open(url, type: type, isReadOnly: true)).map {
            StoreMetadata.standard(of: $0, type: type)
        }
        if code != .persistentStoreIncompatibleVersionHash {
            info["sourceModel"] = try? NSManagedObjectModel.stored(at: url)
            info["destinationModel"] = model.runtimes.first?.description.model
        }
        return CocoaError(code, userInfo: info)
    }

    /// Makes a store that goes with its last user.
    func openInMemory(_ configuration: String? = nil) throws -> NSPersistentStore {
        var storeOptions = StoreOptions()
        storeOptions.history = HistoryTracking.options(options, model)
        let store = try CoreDataError.mapping {
            try Store.openInMemory(
                schema: model.schema, uuid: .random(), options: storeOptions)
        }
        return NSPersistentStore(
            type: type, url: url, store: store, options: options,
            configurationName: configuration, isInMemory: true)
    }

    /// Makes the folders on the way to a file, where the last one is missing.
    private func makeFolder(of path: String) throws {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex
        else { return }
        let folder = String(path[..<slash])
        var status = stat()
        if stat(folder, &status) == 0 { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw CoreDataError.make(
                .persistentStoreOpen,
                "\(path): the folder \(folder) cannot be created: "
                    + "\(error.localizedDescription); check the path and its permissions",
                [NSFilePathErrorKey: path, NSUnderlyingErrorKey: error])
        }
    }

    private func storeOptions() throws -> StoreOptions {
        var result = StoreOptions()
        result.migration =
            switch migration {
            case .none, .stated: .off
            case .inferred: .inferred
            case .inferredWithLosses: .inferredWithLosses
            }
        result.isReadOnly = options.isSet(NSReadOnlyPersistentStoreOption)
        result.history = HistoryTracking.options(options, model)
        result.sizeLimitBytes = (options[LodeSizeLimitOption] as? NSNumber)?.intValue
        result.dropsIndexes = options.isSet(LodeDropIndexesOption)
        result.verification = try StoreOptions.Verification(options)
        switch options[LodeDurabilityOption] as? String {
        case "relaxed": result.durability = .relaxed
        case "none": result.durability = .none
        default: result.durability = .full
        }
        return result
    }
}
