// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import RecordFormat
import Schema
import Store
import Synchronization

/// On which queue a context's `perform` runs its blocks.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// A queue of the context's own.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
}

/// A place to work with managed objects: it fetches them, keeps one of each, tracks their changes
/// and saves them in one transaction.
///
/// *Reading.* A context reads through one snapshot of the store. It moves to the newest one when a
/// fetch or a fault begins, and while it is idle, as others save; objects that already have their
/// values keep them. ``setQueryGenerationFrom(_:)`` pins it.
///
/// *Threads.* A context and its objects are used inside ``perform(_:)`` or ``performAndWait(_:)``
/// only, or, for a main-queue context, on the main thread. `performAndWait` takes the context's
/// lock and runs the block on the calling thread, so it works without anybody serving the main
/// queue.
open class NSManagedObjectContext: NSObject {
    /// On which queue ``perform(_:)`` runs its blocks.
    public final let concurrencyType: NSManagedObjectContextConcurrencyType
    /// A name for logs.
    open var name: String?
    /// Values for the application's own use.
    public private(set) final lazy var userInfo = NSMutableDictionary()
    /// How conflicts of a save are resolved; only the error policy, the default, is supported yet.
    open var mergePolicy: Any = NSErrorMergePolicy
    /// Whether a fault whose record is gone reads as nil instead of trapping; true.
    open var shouldDeleteInaccessibleFaults = true
    /// Whether the context keeps all its objects alive; false.
    open var retainsRegisteredObjects = false {
        didSet {
            keepsObjects = retainsRegisteredObjects
            retained = keepsObjects ? registry.objects : []
        }
    }
    /// Recorded with each save; for persistent history.
    open var transactionAuthor: String?

    /// The last error that a property getter met; getters cannot throw, they read nil then.
    public final var lastReadError: (any Error)?

    /// The stamp of the snapshot: bytes bound at another one are not valid.
    @exclusivity(unchecked) final var stamp: UInt32 = 0
    final var snapshot: StoreSnapshot?
    // Unchecked: the table's methods call nobody back, and the run-time check of overlapping
    // accesses would cost as much as the look-up itself.
    @exclusivity(unchecked) final var registry = ObjectRegistry()
    // Unchecked for the same reason: noting a change is one append.
    @exclusivity(unchecked) final var changes = ChangeSet()
    /// The destinations, ascending, that a relationship has made faults of last.
    // Unchecked: nothing else runs while it is read or replaced.
    @exclusivity(unchecked) final var siblings: ContiguousArray<ObjectKey> = []
    /// Inserted objects that got their permanent key before the save, by that key.
    final var reserved: [ObjectKey: NSManagedObject] = [:]
    /// What a layer above keeps for this context, such as the ECS's unsaved components.
    final var attachments: [ObjectIdentifier: AnyObject] = [:]
    /// The store of the ID that was checked last, so that looking up many checks the store once.
    final var knownStore: NSPersistentStore?
    private var retained: [NSManagedObject] = []
    private final var keepsObjects = false
    /// Lets other threads move or park the snapshot while nobody uses the context.
    final let snapshotOwner = SnapshotOwner()
    /// The thread that used the context outside its blocks last; 0 for none.
    final let directUser = Atomic<UInt>(0)
    /// The generation that the context stays at, see ``setQueryGenerationFrom(_:)``.
    final var pinnedGeneration: NSQueryGenerationToken?
    /// The entities that typed code has inserted objects of; few, so a list.
    // Unchecked: only this context's look-ups touch it.
    @exclusivity(unchecked) final var entitiesByClass:
        [(NSManagedObject.Type, NSEntityDescription)] = []
    /// The runtime that an entity led to last; a context keeps its coordinator, so it stays right.
    @exclusivity(unchecked) final var knownRuntime: EntityRuntime?
    /// The next temporary row of the context's block; a new block is taken at each multiple of
    /// 65,536.
    final var nextTemporaryRow: UInt64 = 0
    // Contexts of any thread take blocks: no two of them have a temporary identity in common.
    static let temporaryBlocks = Atomic<UInt64>(0)
    final var hasUnprocessedDeletions = false
    // Serialises the blocks of `perform` and `performAndWait`; recursive, as blocks nest.
    final let lock = ContextLock()
    final let queue: DispatchQueue
    private var coordinator: NSPersistentStoreCoordinator?

    /// Makes a context without a store; set ``persistentStoreCoordinator`` before use.
    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        concurrencyType = ct
        queue =
            ct == .mainQueueConcurrencyType
            ? DispatchQueue.main : DispatchQueue(label: "lode.context")
        super.init()
    }

    /// The kinds of context under their short names.
    public enum ConcurrencyType: Sendable {
        /// The main queue.
        case mainQueue
        /// A queue of the context's own.
        case privateQueue
    }

    /// Makes a context without a store.
    public convenience init(_ type: ConcurrencyType) {
        self.init(
            concurrencyType: type == .mainQueue
                ? .mainQueueConcurrencyType : .privateQueueConcurrencyType)
    }

    deinit {
        snapshotOwner.detach()
        coordinator?.snapshotOwners.remove(snapshotOwner)
        registry.forEach { $0.context = nil }
    }

    /// The coordinator whose store the context reads and writes; set once.
    public final var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { coordinator }
        set {
            precondition(
                coordinator == nil || coordinator === newValue,
                "a context keeps its coordinator; make another context for another store")
            coordinator = newValue
        }
    }

    /// The store of the coordinator, once loaded.
    final var persistentStore: NSPersistentStore? { coordinator?.firstStore }

    /// Whether objects are inserted, updated or deleted.
    public final var hasChanges: Bool { !changes.isEmpty }
    /// The objects inserted since the last save.
    public final var insertedObjects: Set<NSManagedObject> { Set(changes.liveInserted) }
    /// The saved objects changed since the last save.
    public final var updatedObjects: Set<NSManagedObject> { Set(changes.liveUpdated) }
    /// The saved objects deleted since the last save.
    public final var deletedObjects: Set<NSManagedObject> { Set(changes.liveDeleted) }
    /// All objects that the context knows; clean ones appear only while somebody holds them.
    public final var registeredObjects: Set<NSManagedObject> { Set(registry.objects) }

    final func retainIfAsked(_ object: NSManagedObject) {
        if keepsObjects { retained.append(object) }
    }

    final func releaseRetained() { retained = [] }
}
