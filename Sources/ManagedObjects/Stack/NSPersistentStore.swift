// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store
import Synchronization

/// One store of a coordinator: an open data file.
// Sendable because all is immutable but the open file, which a mutex guards.
open class NSPersistentStore: NSObject, @unchecked Sendable {
    /// The kinds of store.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Makes a kind of its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A file.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        /// Memory.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
        /// Core Data's binary files, which are not read.
        public static let binary = StoreType(rawValue: NSBinaryStoreType)
    }

    /// The kind of store.
    public let type: String
    /// The file.
    public let url: URL?
    /// The store's identity, the host of its object URIs.
    public let identifier: String
    /// The options that the store was added with.
    public let options: [AnyHashable: Any]?
    /// The name of the model configuration that the store holds.
    public let configurationName: String
    /// Whether saves are refused.
    public let isReadOnly: Bool
    // Cleared when the store is removed, so that IDs that outlive it do not keep the file open.
    private let opened: Mutex<Store?>
    private let entry: LoadedStores.Entry?
    // Set once the store is in use, cleared when it is removed; any thread may do that.
    let commitWatch = Mutex<CommitWatch?>(nil)
    /// What is cleaned up with the store, such as an in-memory store's file.
    let temporaryDirectory: TemporaryDirectory?

    init(
        type: String, url: URL?, store: Store, options: [AnyHashable: Any]?,
        configurationName: String?, temporaryDirectory: TemporaryDirectory?
    ) {
        self.type = type
        self.url = url
        identifier = store.uuid.description
        self.options = options
        self.configurationName = configurationName ?? "PF_DEFAULT_CONFIGURATION_NAME"
        isReadOnly = store.isReadOnly
        opened = Mutex(store)
        entry = url.map { LoadedStores.add(store, at: $0) }
        self.temporaryDirectory = temporaryDirectory
        super.init()
    }

    /// The open file; `nil` once the store was removed.
    final var store: Store? { opened.withLock { $0 } }

    deinit { commitWatch.withLock { $0 }?.cancel() }

    final func close() {
        commitWatch.withLock { $0 }?.cancel()
        entry?.clear()
        opened.withLock { $0 = nil }
    }

    // What was set and not saved yet; any thread may set it.
    private let pendingMetadata = Mutex<Data?>(nil)

    /// Type, identity, model digests, and the application's own entries.
    ///
    /// Setting it keeps type, identity and digests as they are. Traps for a value that no property
    /// list holds. Written with the next save; until then only this process sees it.
    open var metadata: [String: Any]! {
        get {
            let own = pendingMetadata.withLock { $0 } ?? (try? store?.applicationMetadata())
            return (own.map(StoreMetadata.entries) ?? [:])
                .merging(StoreMetadata.standard(of: store, type: type)) { _, standard in standard }
        }
        set {
            let data = StoreMetadata.encode(newValue ?? [:])
            pendingMetadata.withLock { $0 = data }
        }
    }

    /// Writes the entries that were set; returns them, to be told once they are committed.
    final func writeMetadata(_ transaction: SaveTransaction) throws -> Data? {
        guard let data = pendingMetadata.withLock({ $0 }) else { return nil }
        try transaction.setMetadata(Array(data), for: StoreMetadata.entryName)
        return data
    }

    /// The entries are in the file: forgets them, unless others were set meanwhile.
    final func finishMetadata(_ written: Data?) {
        guard let written else { return }
        pendingMetadata.withLock { pending in
            if pending == written { pending = nil }
        }
    }
}

/// A directory that goes with its last owner.
final class TemporaryDirectory: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("lode-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // The files are gone with the next clean-up of the temporary directory at the latest.
        try? FileManager.default.removeItem(at: url)
    }
}
