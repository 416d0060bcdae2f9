// SPDX-License-Identifier: Apache-2.0

import Foundation
import Store

extension NSPersistentStoreCoordinator {
    /// The metadata of the store in a file, without loading it.
    ///
    /// ``LodeVerifyOption`` among the options has a file from elsewhere checked first.
    ///
    /// - Throws: 134080 for a file that is no store or is not there, 134000 for another type.
    public static func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        if let storeClass = RegisteredStores.storeClass(for: storeType) {
            return try storeClass.metadataForPersistentStore(with: url)
        }
        let store = try StoreMetadata.open(
            url, type: storeType, isReadOnly: true, options: options)
        let own = try store.applicationMetadata().map(StoreMetadata.entries) ?? [:]
        return own.merging(StoreMetadata.standard(of: store, type: storeType)) { _, new in new }
    }

    /// The metadata of the store in a file, without loading it.
    public static func metadataForPersistentStore(
        type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
    }

    /// Sets the application's entries in the metadata of the store in a file, at once.
    ///
    /// Type, identity and model digests stay as they are. Traps for a value that no property list
    /// holds. A file with a history takes ``NSPersistentHistoryTrackingKey`` among the options, or
    /// this throws 134030.
    public static func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        if let storeClass = RegisteredStores.storeClass(for: storeType) {
            return try storeClass.setMetadata(metadata, forPersistentStoreAt: url)
        }
        let data = StoreMetadata.encode(metadata ?? [:])
        let store = try StoreMetadata.open(
            url, type: storeType, isReadOnly: false, options: options)
        try CoreDataError.mapping {
            try store.write { try $0.setMetadata(Array(data), for: StoreMetadata.entryName) }
        }
    }

    /// Sets the application's entries in the metadata of the store in a file, at once.
    public static func setMetadata(
        _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(
            metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
    }

    /// Sets the application's entries in the metadata of a store; the next save writes them.
    public final func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        store.metadata = metadata
    }

    /// Empties the file of a store: what is left has no objects and no model.
    ///
    /// A store of this coordinator is removed first. Others that have the file open keep its old
    /// contents and see no more commits. The file can be deleted afterwards, or a store added in
    /// its place. A store in memory has nothing to empty, nor has a file that is not there. The
    /// file of a store of the program's own is deleted.
    ///
    /// - Throws: 134080 for a file that is no store, unless
    ///   ``NSPersistentStoreForceDestroyOption`` is true, and for a URL of no file, unless the type
    ///   is the program's own; 134070 for a folder, a device or a pipe, in any case, but for the
    ///   folder of a type of the program's own.
    public final func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws {
        guard storeType != NSInMemoryStoreType, url.path != "/dev/null" else { return }
        try performAndWait {
            let storeClass = RegisteredStores.storeClass(for: storeType)
            // A store of the program's own may be a service, which has no file.
            let path = storeClass == nil || url.isFileURL ? try url.storePath() : nil
            if let loaded = persistentStore(for: url) { try remove(loaded) }
            guard let path, FileManager.default.fileExists(atPath: path) else { return }
            let isForced = options?.isSet(NSPersistentStoreForceDestroyOption) ?? false
            if let storeClass {
                if !isForced { _ = try storeClass.metadataForPersistentStore(with: url) }
                return try StoreDestruction.remove(url)
            }
            if !isForced { try StoreDestruction.check(url, type: storeType) }
            try StoreDestruction.empty(url)
        }
    }

    /// Empties the file of a store: what is left has no objects and no model.
    public final func destroyPersistentStore(
        at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
    }

    /// Runs a block on the coordinator's queue and returns its result.
    ///
    /// - Parameters:
    ///   - isolation: The caller's actor; leave it out.
    ///   - block: The work.
    public final func perform<Result, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        // SAFETY: the block runs once, on the queue, while the caller waits; only the caller gets
        // the outcome. The program sees to it that no other code uses what the block
        // captures meanwhile.
        let job = UncheckedTransfer(block)
        let outcome: UncheckedTransfer<Swift.Result<Result, Failure>> =
            await withCheckedContinuation(isolation: isolation) { continuation in
                perform {
                    continuation.resume(returning: UncheckedTransfer(Swift.Result(job)))
                }
            }
        return try outcome.value.get()
    }
}

extension Result {
    /// What a transferred block returns or throws.
    fileprivate init(_ job: UncheckedTransfer<() throws(Failure) -> Success>) {
        do throws(Failure) {
            self = .success(try job.value())
        } catch {
            self = .failure(error)
        }
    }
}
