// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store
import Traps

/// The metadata of a store, with the application's own entries.
enum StoreMetadata {
    /// The entry of the file that holds the application's entries, as a property list.
    static let entryName = "metadata"

    private static let standardKeys: Set<String> = [
        NSStoreTypeKey, NSStoreUUIDKey, NSStoreModelVersionHashesKey,
        NSStoreModelVersionIdentifiersKey,
    ]

    static func standard(of store: Store?, type: String) -> [String: Any] {
        guard let store else { return [NSStoreTypeKey: type] }
        var hashes: [String: Data] = [:]
        for entity in store.schema.entities {
            hashes[entity.name] = withUnsafeBytes(of: entity.versionHash.bigEndian) { Data($0) }
        }
        return [
            NSStoreTypeKey: type, NSStoreUUIDKey: store.uuid.description,
            NSStoreModelVersionHashesKey: hashes, NSStoreModelVersionIdentifiersKey: [String](),
        ]
    }

    /// The application's entries as a property list; traps for a value that cannot be in one.
    static func encode(_ metadata: [String: Any]) -> Data {
        let own = metadata.filter { !standardKeys.contains($0.key) }
        do {
            return try PropertyListSerialization.data(
                fromPropertyList: own, format: .binary, options: 0)
        } catch {
            trap("store metadata must be a property list: \(own): \(error)")
        }
    }

    /// The application's entries; none where the bytes are no property list of those.
    static func entries(_ data: Data) -> [String: Any] {
        guard BinaryPropertyList.isSound(Array(data)) else { return [:] }
        let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        return list as? [String: Any] ?? [:]
    }

    /// Opens a file without a model, for its metadata.
    static func open(
        _ url: URL, type: String, isReadOnly: Bool, options given: [AnyHashable: Any]? = nil
    ) throws -> Store {
        guard [NSSQLiteStoreType, LodeStoreType].contains(type) else {
            throw CoreDataError.make(
                .persistentStoreInvalidType,
                "a file of store type \(type) has no metadata to read; use NSSQLiteStoreType")
        }
        let path = try url.storePath()
        if let loaded = LoadedStores.store(at: path), !loaded.isReadOnly || isReadOnly {
            return loaded
        }
        return try CoreDataError.mapping {
            var options = StoreOptions()
            options.isReadOnly = isReadOnly
            options.createsIfMissing = false
            options.history = HistoryTracking.options(given ?? [:])
            options.verification = try StoreOptions.Verification(given)
            return try Store.open(
                at: path, schema: nil, uuid: UUIDValue(high: 0, low: 0), options: options)
        }
    }
}

extension Store {
    /// The property list of the application's entries.
    func applicationMetadata() throws -> Data? {
        try CoreDataError.mapping { try metadata(for: StoreMetadata.entryName).map { Data($0) } }
    }
}
