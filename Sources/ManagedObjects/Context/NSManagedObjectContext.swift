// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectTable
import Schema
import Synchronization
import Traps

/// On which queue a context's `perform` runs its blocks.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// The thread that made the context, in Core Data's past; here like
    /// ``privateQueueConcurrencyType``.
    @available(*, deprecated, renamed: "privateQueueConcurrencyType")
    case confinementConcurrencyType = 0
    /// A queue of the context's own.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
}

/// A place to work with managed objects: it fetches them, keeps one of each, tracks their changes
/// and saves them in one transaction.
///
/// ```swift
/// let context = container.newBackgroundContext()
/// try await context.perform {
///     let team = Team(context: context)
///     team.name = "Blues"
///     try context.save()
/// }
/// ```
///
/// *Reading.* A context reads through one snapshot of the store. It moves to the newest one when a
/// fetch or a fault begins, and while it is idle, as others save; objects that already have their
/// values keep them. ``setQueryGenerationFrom(_:)`` pins it.
///
/// *Threads.* A context and its objects are used inside ``perform(_:)`` or ``performAndWait(_:)``
/// only, or, for a main-queue context, on the main thread. In a server or a tool nothing may run
/// the main queue: blocks that `perform` hands over to a main-queue context then wait for ever.
/// `performAndWait` does not wait and runs its block on the calling thread, so the main thread has
/// to use it too if other threads use the context. With `LODE_CONCURRENCY_DEBUG=1` in the
/// environment, a use from a wrong queue traps.
open class NSManagedObjectContext: NSObject {
    /// On which queue ``perform(_:)`` runs its blocks.
    public final let concurrencyType: NSManagedObjectContextConcurrencyType
    /// A name for logs.
    open var name: String?
    /// Values for the application's own use.
    public private(set) final lazy var userInfo = NSMutableDictionary()
    /// How conflicts of a save are resolved: an ``NSMergePolicy``; the error policy at first.
    open var mergePolicy: Any {
        get { statedPolicy }
        set {
            require(newValue is NSMergePolicy, "mergePolicy takes an NSMergePolicy")
            statedPolicy = newValue
        }
    }
    /// Whether a fault whose record is gone reads as nil instead of trapping; true.
    open var shouldDeleteInaccessibleFaults = true
    /// Whether the context keeps all its objects alive; false.
    open var retainsRegisteredObjects: Bool {
        get { retention.isOn }
        set { retainRegistered(newValue) }
    }
    /// Whether saves beneath are merged here: those of other contexts of the coordinator or, for a
    /// child, those of its parent and of its siblings; false.
    ///
    /// A merge runs on the context's queue some time after the save. Unsaved changes made here win,
    /// except for objects that were deleted. If nothing runs the main queue, a main-queue context
    /// merges when it is next entered or fetches.
    open var automaticallyMergesChangesFromParent: Bool {
        get { merging.isOn }
        set {
            guard newValue != merging.isOn else { return }
            merging.isOn = newValue
            listenToSaves(newValue)
        }
    }
    /// Whether delete rules apply when changes are processed, the default, or not until the save.
    open var propagatesDeletesAtEndOfEvent = true
    /// How old values may be that a fault reads; negative, the default, for any age.
    ///
    /// Without effect: there is no cache of rows, and a fault reads what is in the store when it
    /// fires.
    open var stalenessInterval: TimeInterval = -1
    /// Recorded with each save; for persistent history.
    open var transactionAuthor: String?
    /// The most objects that a fetch of this context may scan where it returns fewer; 0 for no
    /// bound.
    ///
    /// A fetch without an index for its predicate, or for its order where it has a limit, reads all
    /// objects of its entities. With this bound it fails instead, with an error that names the
    /// index to add: 134070. ``NSFetchRequest/scanLimit`` makes exceptions.
    ///
    /// The files of the store are meant: unsaved objects do not count. A child has a bound of its
    /// own.
    open var scanLimit = 0
    /// Records the context's changes for ``undo()`` and ``redo()``; nil, the default, for none.
    ///
    /// Changes made before it is set are not recorded. It may be shared with other contexts of the
    /// same queue.
    open var undoManager: UndoManager? {
        get { followers.undoManager }
        set {
            processPendingChanges()
            let former = followers.undoManager
            followers.undoManager = newValue
            undoManagerChanged(from: former)
        }
    }

    // The properties above that have an effect are computed over values kept elsewhere: Swift calls
    // no observers for what a convenience initialiser of an extension assigns.
    private final var statedPolicy: Any = NSErrorMergePolicy

    /// The last error that a property getter met; getters cannot throw, they read nil then.
    public final var lastReadError: (any Error)?

    // SAFETY: one thread at a time uses this and the unchecked properties below: the lock and the
    // program, which keeps to the queue, see to that. Each access to a member is over before code
    // of others can run. Each fault that fires looks at the snapshot, more than once.
    @exclusivity(unchecked) final var readPoint = ReadPoint()
    // SAFETY: one thread, as for `readPoint`. A method of the table is done with it before code of
    // others can run. The run-time check would cost as much as the look-up itself.
    @exclusivity(unchecked) final var registry: ObjectRegistry<NSManagedObject>
    /// Lets other threads move or park the snapshot while the context is not in use.
    final let snapshotOwner = SnapshotOwner()
    /// Where objects released on other threads post themselves.
    final let departures: Departures<NSManagedObject>
    // Atomic, as any thread may ask for the ID of an object, and so for its store.
    private final let mainLosses = Atomic<Int>(-1)
    // SAFETY: one thread, as for `readPoint`. Noting a change is one append. A list that shrinks
    // may let objects go, and a deinit of the program's must leave the context alone.
    @exclusivity(unchecked) final var changes = ChangeSet()
    // SAFETY: as `readPoint`. Each insertion and each first change of an object looks at it.
    @exclusivity(unchecked) final var event: ContextEvent
    // SAFETY: as `readPoint`. Each object that is made uses it.
    @exclusivity(unchecked) final var making = ObjectMaking()
    // SAFETY: as `readPoint`. Each object that is made asks for it.
    @exclusivity(unchecked) final var retention = Retention()
    /// The parent that a child reads through; `nil` for a root, which reads through a snapshot.
    // SAFETY: as `readPoint`. Set once.
    @exclusivity(unchecked) final var source: ParentSource?
    /// Inserted objects that got their permanent key before the save, by that key.
    // Not in `saving`: objects that are let go of there may lead here.
    // SAFETY: as `readPoint`. Each object that is looked for in vain asks here, and nothing that
    // is called meanwhile lets go of an object.
    @exclusivity(unchecked) final var reserved = ReservedObjects()
    final var saving = SaveState()
    final var followers = Followers()
    final var merging = AutomaticMerging()
    /// The ways to the coordinator's further stores, by tag less one.
    final var rowsByTag: [(any FurtherRows)?] = []
    final let childLinks = ChildLinks()
    final let queue: ContextQueue
    private var coordinator: NSPersistentStoreCoordinator?
    /// ``coordinator`` for what each fetch asks of it: others refer to it weakly, which makes it
    /// dear to count a reference.
    // SAFETY: `coordinator` keeps it as long as the context lives.
    final private(set) var coordinatorAtHand: Unmanaged<NSPersistentStoreCoordinator>?
    final var hasOwnCoordinator: Bool { coordinator != nil }

    /// Decides about a fault whose values are gone: true lets it read as nil, false traps.
    ///
    /// By default ``shouldDeleteInaccessibleFaults`` decides; override it to decide case by case.
    ///
    /// - Parameters:
    ///   - fault: The object.
    ///   - oid: Its ID.
    ///   - property: Always nil: a fault does not know which property was asked for.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID,
        triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        shouldDeleteInaccessibleFaults
    }

    /// Makes a context without a store; set ``persistentStoreCoordinator`` before use.
    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        concurrencyType = ct
        departures = Departures()
        registry = ObjectRegistry(departures)
        queue = ContextQueue(ct)
        let isMain = ct == .mainQueueConcurrencyType
        event = ContextEvent(awaitsChange: isMain)
        if isMain { MainQueue.probe() }
        super.init()
    }

    /// Makes a context without a store for the thread that calls this.
    ///
    /// Its type is `confinementConcurrencyType`, which has a queue of its own like
    /// ``NSManagedObjectContextConcurrencyType/privateQueueConcurrencyType``; uses outside of that
    /// queue are not detected.
    @available(*, deprecated, message: "use init(concurrencyType:)")
    public override convenience init() {
        self.init(concurrencyType: .confinementConcurrencyType)
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
        followers.undoManager?.participants?.leave(self, isEnding: true)
        snapshotOwner.detach()
        coordinator?.snapshotOwners.remove(snapshotOwner)
        // Those that go on other threads meanwhile are waited for.
        queue.lock.enter()
        let objects = registry.takeAll()
        queue.lock.leave()
        dismiss(objects)
        if merging.mailbox != nil { listenToSaves(false) }
    }

    /// How many main stores the coordinator had lost when the context looked last; -1 before.
    final var seenMainLosses: Int {
        get { mainLosses.load(ordering: .relaxed) }
        set { mainLosses.store(newValue, ordering: .relaxed) }
    }

    /// The coordinator whose store the context reads and writes; set once, in place of ``parent``.
    ///
    /// A child has that of its ancestor.
    public final var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        @inline(__always) get { coordinator ?? inheritedCoordinator }
        set {
            require(
                source == nil, "a context has a parent or a persistentStoreCoordinator, not both")
            require(
                coordinator == nil || coordinator === newValue,
                "a context keeps its coordinator; make another context for another store")
            coordinator = newValue
            coordinatorAtHand = newValue.map { .passUnretained($0) }
            seenMainLosses = newValue?.lostMainCount ?? -1
            registry.pool = newValue?.registrySegments
            if automaticallyMergesChangesFromParent { listenToSaves(true) }
        }
    }

    // Apart, as roots, which have one of their own, ask for it with each insertion.
    private final var inheritedCoordinator: NSPersistentStoreCoordinator? {
        @inline(never) get { source?.parent.persistentStoreCoordinator }
    }

    /// The main store of the coordinator, once loaded.
    final var persistentStore: NSPersistentStore? { askCoordinator { $0.firstStore } ?? nil }

    /// Asks the coordinator something, without counting a reference to an own one; `nil` without
    /// one.
    @inline(__always)
    final func askCoordinator<Answer>(
        _ question: (NSPersistentStoreCoordinator) -> Answer
    ) -> Answer? {
        guard let coordinatorAtHand else { return inheritedCoordinator.map(question) }
        // SAFETY: see `coordinatorAtHand`.
        return coordinatorAtHand._withUnsafeGuaranteedRef(question)
    }

    /// Whether objects are inserted, updated or deleted, or a world of the context has changed.
    open var hasChanges: Bool {
        !changes.isEmpty || saving.companion?.hasUnsavedChanges == true
    }
    /// The objects inserted since the last save, without those that were deleted again.
    public final var insertedObjects: Set<NSManagedObject> {
        Set(changes.liveInserted.lazy.filter { !$0.isDeleted }, ofAtMost: changes.inserted.count)
    }
    /// The saved objects changed since the last save.
    public final var updatedObjects: Set<NSManagedObject> {
        Set(changes.liveUpdated, ofAtMost: changes.updated.count)
    }
    /// The saved objects deleted since the last save.
    public final var deletedObjects: Set<NSManagedObject> {
        Set(changes.liveDeleted.filter { !$0.isInserted })
    }
    /// All objects that the context knows; clean ones appear only while they are held, and those
    /// that were never saved only until they are deleted.
    ///
    /// - Complexity: O(registered objects); nothing is fetched.
    public final var registeredObjects: Set<NSManagedObject> {
        Set(registry.objects.filter { !$0.isInserted || !$0.isDeleted })
    }

    // MARK: What subclasses may override

    // Extensions cannot declare overridable methods, so they implement these under other names.

    /// Writes all changes in one transaction.
    ///
    /// ```swift
    /// do {
    ///     try context.save()
    /// } catch let error as CocoaError where error.code == .managedObjectMerge {
    ///     context.rollback()  // others have changed the same objects
    /// }
    /// ```
    ///
    /// A child moves its changes into its parent instead, see ``parent``.
    ///
    /// The will-save notification, delete rules, `willSave` on each changed object until no setter
    /// changes anything more, validation, the transaction, `didSave`, the did-save notifications.
    /// Without changes only metadata that was set is written, and the did-save notifications are
    /// posted.
    ///
    /// If another commit changed an object in between, or objects break a uniqueness constraint,
    /// the ``mergePolicy`` decides, and the last steps are repeated with the objects as it left
    /// them.
    ///
    /// - Throws: A validation error (1550 to 1690, or 1560 for several), what the merge policy
    ///   throws (133020 for changed objects, 133021 for a uniqueness constraint), 134050 when
    ///   conflicts keep coming, 134030 for a read-only store, 134070 when the store failed.
    ///   Nothing is written then, and all changes stay pending.
    open func save() throws { try saveChanges() }

    /// Marks an object for deletion; delete rules apply when changes are processed or saved.
    ///
    /// Deleting an object that was never saved undoes its insertion.
    open func delete(_ object: NSManagedObject) { deleteObject(object) }

    /// Brings the bookkeeping up to date: delete rules, then one undo action, then one did-change
    /// notification.
    ///
    /// Inverses are up to date already, as each setter maintains them. Runs at the end of a
    /// `perform` block and of a turn of the main queue, before each fetch and save, and when the
    /// undo manager begins or ends a group. What observers of the notification change belongs to
    /// the next event.
    open func processPendingChanges() { processChanges() }

    /// Drops all changes since the last save, and everything that could be undone.
    ///
    /// Inserted objects leave the context, deleted ones come back, updated ones have their saved
    /// values again and are notified by ``NSManagedObject/awake(fromSnapshotEvents:)``. Nothing is
    /// read from the store. The did-change notification that follows names objects that left under
    /// `deleted`, those that came back under `inserted` and the others under `refreshed`; what was
    /// inserted or deleted after the last notification has never been announced, and is left out or
    /// counts as refreshed.
    open func rollback() { discardChanges() }

    /// Forgets all objects, all changes and everything that could be undone; objects held
    /// elsewhere are faults without a context and read as nil and zero.
    open func reset() { forgetAll() }

    /// Processes pending changes, then has the undo manager take back its newest group.
    open func undo() { undoChanges() }

    /// Processes pending changes, then has the undo manager perform again what was undone last.
    open func redo() { redoChanges() }

    /// Inserts an object made without a context, or cancels the deletion of one.
    open func insert(_ object: NSManagedObject) { insertObject(object) }

    /// The object with an ID, with its values.
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) when there is none.
    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        try findObject(with: objectID)
    }

    /// Gives inserted objects their permanent IDs before the save.
    ///
    /// The objects stay inserted; nothing of them is written yet. Objects that have a permanent ID
    /// are skipped. The store reserves IDs in blocks, so that few calls have to wait for a commit.
    open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        try reserveIDs(of: objects)
    }

    /// Reads the value of an object anew, keeping or dropping unsaved changes.
    ///
    /// An object without unsaved changes becomes a fault either way, and its transient properties
    /// have their defaults again.
    ///
    /// Keeping changes never fails and never conflicts: changed attributes and to-one relationships
    /// stay as they are here, and what was added to and removed from to-many relationships is
    /// applied to the destinations that are stored now. The next did-change notification names the
    /// object under `refreshed`. A fault that stays a fault is not reported, and an inserted object
    /// stays as it is.
    ///
    /// Dropping them takes the other sides of relationships back, too. Two kinds of partner stay as
    /// they are: a member of a to-many relationship whose own to-one now refers to this object or
    /// to another one, and a deleted partner. Their effect on this object stays as well, so the
    /// object then counts as updated. An inserted object is no longer inserted: it becomes a fault
    /// without a record, which no relationship refers to.
    ///
    /// - Parameters:
    ///   - object: An object of this context.
    ///   - flag: True to keep the object's unsaved changes on top of the new values, false to drop
    ///     them and turn the object into a fault.
    open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        refreshObject(object, mergeChanges: flag)
    }

    /// Refreshes all objects, keeping unsaved changes; those without become faults.
    open func refreshAllObjects() { refreshAll() }

    /// Merges what another context saved, as listed by its did-save notification.
    ///
    /// Registered objects that were updated take the new values under the unsaved changes made
    /// here; those without changes become faults. Registered objects that were deleted leave the
    /// context, without a save. Inserted objects are registered only if an observer of the change
    /// keeps them. Everything else is ignored. Posts the did-change notification, where the updated
    /// objects are under `NSRefreshedObjectsKey`, and the did-merge notification.
    ///
    /// - Parameter notification: A did-save notification with objects or with object IDs, of a
    ///   context of the same store.
    open func mergeChanges(fromContextDidSave notification: Notification) { merge(notification) }

    /// Runs a block later on the context's queue, then processes its changes.
    ///
    /// Blocks run one at a time, in the order in which they were handed over. The context lives at
    /// least until its blocks have run. Those of a main-queue context wait until the main queue
    /// runs them.
    open func perform(_ block: @escaping () -> Void) { enqueueBlock(block) }

    /// Runs a request of any kind.
    ///
    /// Batch requests write to the store at once, regardless of unsaved changes, and leave the
    /// context's objects alone: notify contexts with ``mergeChanges(fromRemoteContextSave:into:)``.
    /// A fetch returns an ``NSAsynchronousFetchResult`` with its results.
    ///
    /// - Throws: What the request says; nothing is written then. 134091 for a request of another
    ///   class.
    @discardableResult
    open func execute(
        _ request: NSPersistentStoreRequest
    ) throws -> NSPersistentStoreResult { try run(request) }
}
