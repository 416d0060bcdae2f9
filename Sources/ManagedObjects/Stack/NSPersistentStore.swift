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
        self.temporaryDirectory = temporaryDirectory
        super.init()
    }

    /// The open file; `nil` once the store was removed.
    final var store: Store? { opened.withLock { $0 } }

    final func close() { opened.withLock { $0 = nil } }

    /// Type, identity and model digests.
    open var metadata: [String: Any]! {
        var hashes: [String: Data] = [:]
        for entity in store?.schema.entities ?? [] {
            hashes[entity.name] = withUnsafeBytes(of: entity.versionHash.bigEndian) { Data($0) }
        }
        return [
            NSStoreTypeKey: type, NSStoreUUIDKey: identifier, NSStoreModelVersionHashesKey: hashes,
        ]
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
