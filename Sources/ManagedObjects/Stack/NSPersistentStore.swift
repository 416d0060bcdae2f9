// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store
import Synchronization

/// One store of a coordinator: an open data file, or a store of the program's own.
///
/// Programs subclass ``NSAtomicStore`` or ``NSIncrementalStore`` and register the class with
/// ``NSPersistentStoreCoordinator/registerStoreClass(_:forStoreType:)``.
// SAFETY: mutexes guard what changes; the initialisers set the rest before other threads see the
// store. A subclass answers for its own state.
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

    struct State {
        var type: String
        var url: URL?
        var identifier: String
        var isReadOnly: Bool
        /// The metadata of a store of the program's own.
        var metadata: [String: Any] = [:]
        /// Cleared when the store is removed: IDs that outlive it do not keep the file open.
        var file: Store?
        /// The coordinator that has the store, or is to have it.
        weak var coordinator: NSPersistentStoreCoordinator?
        /// Which of the coordinator's stores this is, see ``ObjectKey``.
        var tag = 0
        /// Whether a coordinator has taken over the identity of a store of the program's own.
        var isAdded = false
        /// Whether metadata of a store of the program's own was set and not saved since.
        var hasPendingMetadata = false
        /// The entities that the store holds; `nil` for all.
        var entityNames: Set<String>?
    }

    // Contexts of any thread ask, and the coordinator sets.
    private let state: Mutex<UncheckedTransfer<State>>
    private var entry: LoadedStores.Entry?
    /// Whether this is a store of the program's own rather than a file of the library's.
    final private(set) var isCustom = true
    /// The options that the store was added with.
    public let options: [AnyHashable: Any]?
    /// The name of the model configuration that the store holds.
    public let configurationName: String
    // Set once the store is in use, cleared when it is removed; any thread may do that.
    let commitWatch = Mutex<CommitWatch?>(nil)
    /// Whether the store is in memory, so that no other process or coordinator can change it.
    final private(set) var isInMemory = false

    // A convenience initialiser, as a class whose designated ones are not all public would not hand
    // down the others to the program's subclasses.
    convenience init(
        type: String, url: URL?, store: Store, options: [AnyHashable: Any]?,
        configurationName: String?, isInMemory: Bool
    ) {
        self.init(
            persistentStoreCoordinator: nil, configurationName: configurationName,
            at: url ?? URL(fileURLWithPath: "/dev/null"), options: options)
        change {
            $0 = State(
                type: type, url: url, identifier: store.uuid.description,
                isReadOnly: store.isReadOnly, file: store)
        }
        entry = url == nil ? nil : LoadedStores.add(store)
        isCustom = false
        self.isInMemory = isInMemory
    }

    /// Makes a store of the program's own for the coordinator that it is added to.
    ///
    /// Every subclass has it, which is why a subclass with initialisers of its own overrides
    /// ``init(persistentStoreCoordinator:configurationName:at:options:)`` as well.
    public required convenience init(_adding place: Place) {
        self.init(
            persistentStoreCoordinator: place.coordinator, configurationName: place.configuration,
            at: place.url, options: place.options)
    }

    /// Makes a store of the program's own; a coordinator calls it when one is added.
    ///
    /// A subclass that overrides it calls super. The store has its metadata once
    /// ``loadMetadata()`` was called.
    public init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
        configurationName name: String?, at url: URL, options: [AnyHashable: Any]? = nil
    ) {
        let isReadOnly =
            options?.isSet(NSReadOnlyPersistentStoreOption) ?? false
        // SAFETY: no other thread can reach this state before the initialiser returns.
        state = Mutex(
            UncheckedTransfer(
                State(
                    type: "", url: url, identifier: UUID().uuidString, isReadOnly: isReadOnly,
                    coordinator: root)))
        self.options = options
        configurationName = name ?? NSPersistentStore.defaultConfiguration
        super.init()
    }

    /// What a coordinator tells a store of the program's own when it is made.
    public struct Place {
        let coordinator: NSPersistentStoreCoordinator
        let configuration: String?
        let url: URL
        let options: [AnyHashable: Any]?
    }

    static var defaultConfiguration: String { "PF_DEFAULT_CONFIGURATION_NAME" }

    final func read<Result>(_ body: (State) -> Result) -> Result {
        // SAFETY: what the body returns is a copy, made while the mutex is held.
        state.withLock { UncheckedTransfer(body($0.value)) }.value
    }

    final func change(_ body: (inout State) -> Void) {
        withoutActuallyEscaping(body) { body in
            // SAFETY: the body runs on this thread, before `withLock` returns.
            let job = UncheckedTransfer(body)
            state.withLock { job.value(&$0.value) }
        }
    }

    /// The kind of store.
    open var type: String { read { $0.type } }
    /// The file, or the place that a store of the program's own was added with.
    open var url: URL? {
        get { read { $0.url } }
        set { change { $0.url = newValue } }
    }
    /// The store's identity, the host of its object URIs.
    ///
    /// Setting nil leaves it as it is.
    open var identifier: String! {
        get { read { $0.identifier } }
        set { change { $0.identifier = newValue ?? $0.identifier } }
    }
    /// The identity that ``identifier`` tells.
    final var identity: String { identifier ?? "" }
    /// Whether saves are refused.
    open var isReadOnly: Bool {
        get { read { $0.isReadOnly } }
        set { change { $0.isReadOnly = newValue } }
    }
    /// The coordinator; nil once the store was removed from it.
    public final var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        read { $0.coordinator }
    }

    /// The open file of a store that is one; `nil` once the store was removed.
    // Without a closure of a caller's: following a relationship asks for it.
    final var store: Store? { state.withLock { $0.value.file } }
    final var tag: Int { state.withLock { $0.value.tag } }

    deinit { commitWatch.withLock { $0 }?.cancel() }

    final func close() {
        commitWatch.withLock { $0 }?.cancel()
        entry?.clear()
        change {
            $0.file = nil
            $0.coordinator = nil
        }
    }

    // What was set and not saved yet; any thread may set it.
    let pendingMetadata = Mutex<Data?>(nil)

    /// Type, identity, model digests, and the application's own entries.
    ///
    /// Setting it keeps type, identity and digests as they are; only a store of the program's own
    /// takes its identity from here, while it is added. Traps for a value that no property list
    /// holds. Written with the next save; until then only this process sees it.
    open var metadata: [String: Any]! {
        get {
            if isCustom { return read { $0.metadata } }
            let own = pendingMetadata.withLock { $0 } ?? (try? store?.applicationMetadata())
            return (own.map(StoreMetadata.entries) ?? [:])
                .merging(StoreMetadata.standard(of: store, type: type)) { _, standard in standard }
        }
        set {
            let new = newValue ?? [:]
            if isCustom { return setOwnMetadata(new) }
            let data = StoreMetadata.encode(new)
            pendingMetadata.withLock { $0 = data }
        }
    }

    private final func setOwnMetadata(_ new: [String: Any]) {
        change { state in
            var new = new
            if state.isAdded {
                new[NSStoreTypeKey] = state.type
                new[NSStoreUUIDKey] = state.identifier
                state.hasPendingMetadata = true
            } else if let identifier = new[NSStoreUUIDKey] {
                state.identifier = "\(identifier)"
            }
            state.metadata = new
        }
    }

    /// Reads the metadata of a store of the program's own into ``metadata``.
    ///
    /// By default with ``metadataForPersistentStore(with:)`` if there is a file at ``url``, and for
    /// none, with a new identity.
    open func loadMetadata() throws {
        guard let url, FileManager.default.fileExists(atPath: url.path) else {
            metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: identity]
            return
        }
        metadata = try Swift.type(of: self).metadataForPersistentStore(with: url)
    }

    /// What a file of the class says of itself, for stores of the program's own.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        throw CoreDataError.make(
            .persistentStoreOperation,
            "\(self) does not read metadata; override metadataForPersistentStore(with:)")
    }

    /// Sets what a file of the class says of itself, for stores of the program's own.
    open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        throw CoreDataError.make(
            .persistentStoreOperation,
            "\(self) does not write metadata; override setMetadata(_:forPersistentStoreAt:)")
    }

    /// Called when the store was added.
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

    /// Called before the store is removed.
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}
}
