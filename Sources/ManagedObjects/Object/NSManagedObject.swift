// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store
import Synchronization
import Traps

/// What a fetch request may return: objects, object IDs, dictionaries or numbers.
///
/// As it has no requirements, `any NSFetchRequestResult` adopts it, too, and can be used where an
/// adopting type is required. Whether a value's type adopts it cannot be checked at run time.
@_marker public protocol NSFetchRequestResult {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// One object of a model's entity: a view on its record in the store, and the changes on top of it.
///
/// ```swift
/// let player = Player(context: context)
/// player.team = blues  // blues.players has the player now
/// player.setValue(12, forKey: "score")  // as player.score = 12
/// print(player.isInserted, player.changedValues())
/// try context.save()
/// ```
///
/// *States.* An object is **inserted** from its creation to its first save; **a fault** while none
/// of its values was asked for; **realised** from then on; **updated** or **deleted** until the
/// save. A realised object keeps its values: saves of others do not change them until the context
/// refreshes.
///
/// *Ownership.* A context has one object an ID, and keeps it alive only while it has changes. The
/// object does not keep its context alive; without one it has no values.
///
/// *Threads.* Used on its context's queue only. Any thread may release it, also for the last time,
/// and ask for its ``objectID`` and its ``managedObjectContext``.
open class NSManagedObject: NSObject, NSFetchRequestResult {
    // SAFETY: the model of the object's context keeps the runtime; without a context the object
    // itself does, see `runtimeHolds`. Unretained, as counting a reference with each fault made
    // would cost as much as the fault's own bytes.
    final let runtimeReference: Unmanaged<EntityRuntime>
    /// The context.
    // SAFETY: a context clears it for each registered object before it goes. Atomic, as any thread
    // may ask for it, and as it decides who takes an object out of the registry that goes on
    // another thread, see ObjectRegistry.settle.
    final let contextWord: Atomic<Unmanaged<NSManagedObjectContext>?>
    // Atomic, as any thread may ask for the ID: see `key` and `extras`.
    final let keyWord = Atomic<UInt64>(0)
    // SAFETY: the word has one reference of its own, released by the code that takes it out: the
    // setter of `extras` or the deinit.
    final let extrasWord = ExtrasWord()
    /// The bytes of the record, valid while `boundStamp` is the context's.
    // SAFETY: one thread at a time uses this and the unchecked properties below, as the program
    // keeps to the context's queue; of an object in its deinit the context may set plain values,
    // see ObjectRegistry.withObject. No access runs code of others, and a run-time check of
    // overlapping accesses on each would cost more than the access.
    @exclusivity(unchecked) final var record: RecordView?
    /// The stamp at which `record` may be read without further checks; 0 for a fault.
    // SAFETY: one thread at a time, as for `record`.
    @exclusivity(unchecked) final var readStamp: UInt32 = 0
    // SAFETY: one thread at a time, as for `record`.
    @exclusivity(unchecked) final var boundStamp: UInt32 = 0
    // SAFETY: one thread at a time, as for `record`. The object has one reference of the draft, and
    // the setter of `draft` and the deinit give it back: the compiler's own release at the end is a
    // call for each object, where most have no draft.
    @exclusivity(unchecked) final private(set) var draftReference: Unmanaged<RecordDraft>?
    // SAFETY: one thread at a time, as for `record`.
    @exclusivity(unchecked) final var flags: ObjectFlags = []
    /// 1 once the object has retained the runtime's model, as it was without a context; else 0.
    ///
    /// Of 16 bits, so that it is cleared with `flags` and `recordAhead` by one store of 8 bytes. A
    /// wider store would clear a part of `draft` as well, and a read of that waits for it.
    // SAFETY: one thread at a time, as for `record`.
    @exclusivity(unchecked) final private var runtimeHolds: UInt16 = 0
    /// What to have loaded when the object is read. Last, as there is room behind the flags.
    // SAFETY: one thread at a time, as for `record`.
    @exclusivity(unchecked) final var recordAhead = RecordAhead()

    // The parameters are plain ones: an override without ownership modifiers would release shared
    // ones, which were never retained. See FaultRequest for what is passed to faults.

    /// Makes an object of an entity and inserts it into a context.
    ///
    /// The object has the entity's class, even if the initialiser of a superclass is called, as in
    /// `NSManagedObject(entity: entity, insertInto: context)`. Such a call traps if the class has
    /// stored properties of its own, and skips its own initialiser.
    ///
    /// - Parameters:
    ///   - entity: A concrete entity of the context's model.
    ///   - context: The context to insert into, or `nil` for an object that is inserted later.
    @inline(never)
    // Not inlined: the caller must not rely on the object's class, which may change in here.
    public required init(
        entity: NSEntityDescription, insertInto context: NSManagedObjectContext?
    ) {
        // The fault of a fetch, which makes many in turn. Nothing is called for it, and all else is
        // left to other functions: registers saved for their sake would cost each fault a quarter.
        guard let context, let known = context.takeKnownFaultRequest(of: entity) else {
            runtimeReference = NSManagedObject.runtimeReference(for: entity, in: context)
            contextWord = Atomic(nil)
            super.init()
            begin(entity, context)
            return
        }
        runtimeReference = known
        // SAFETY: the context registers the fault, and so clears this before it goes.
        contextWord = Atomic(Unmanaged.passUnretained(context))
        flags = .untracked
        super.init()
        FaultRequest.countArguments(entity, context)
    }

    // SAFETY: as `runtimeReference` says; of an object without a context the model of the caller's
    // entity keeps the runtime until `keepRuntime` does.
    @inline(never)
    private static func runtimeReference(
        for entity: NSEntityDescription, in context: NSManagedObjectContext?
    ) -> Unmanaged<EntityRuntime> {
        context?.runtimeReference(for: entity) ?? .passUnretained(entity.requireRuntime())
    }

    /// Makes what was initialised the fault that was asked for, an inserted object, or one without
    /// a context.
    @inline(never)
    private final func begin(_ entity: NSEntityDescription, _ context: NSManagedObjectContext?) {
        // SAFETY: the caller keeps the context; the optional one would be retained here.
        guard let context = context.map({ Unmanaged.passUnretained($0) }) else {
            return beginAlone()
        }
        context._withUnsafeGuaranteedRef { context in
            guard context.takeFaultRequest(of: entity) else {
                takeEntityClass()
                return context.insertNew(self)
            }
            // SAFETY: the context registers the fault, and so clears this before it goes.
            contextReference = Unmanaged.passUnretained(context)
            flags = .untracked
            FaultRequest.countArguments(entity, context)
        }
    }

    /// Makes an object without a context of what was initialised.
    private final func beginAlone() {
        takeEntityClass()
        keepRuntime()
        key = DetachedKeys.make()
        flags = .fresh
    }

    /// The values that differ from the record.
    final var draft: RecordDraft? {
        // SAFETY: the object keeps its draft.
        @inline(__always) get { draftReference?.takeUnretainedValue() }
        @inline(__always) set {
            let old = draftReference
            // SAFETY: the object has a reference of the new draft now, and gives the old one back.
            draftReference = nil
            if let newValue { draftReference = .passRetained(newValue) }
            old?.release()
        }
    }

    /// The value of a field that differs from the record; `nil` when the record decides.
    @inline(__always)
    final func draftValue(_ position: Int) -> Value? {
        // SAFETY: the object keeps its draft, and nothing else runs meanwhile.
        draftReference?._withUnsafeGuaranteedRef { $0[position] }
    }

    /// Whether there is a draft.
    final var hasDraft: Bool {
        @inline(__always) get { draftReference != nil }
    }

    /// Keeps the runtime from now on, with those that its relationships lead to: the object has no
    /// context whose model does.
    final func keepRuntime() {
        if runtimeHolds > 0 { return }
        runtimeHolds = 1
        // SAFETY: `runtimeHolds` notes the count, which the deinit gives back.
        _ = runtime.model.map(Unmanaged.passRetained)
    }

    /// Makes an object of the entity that the class belongs to and inserts it into a context.
    ///
    /// It may be called on a class that is known at run time only, as in `T(context:)`. Traps when
    /// no entity of the context's model names the class, or several do.
    public required convenience init(context moc: __shared NSManagedObjectContext) {
        self.init(entity: moc.entity(for: Self.self), insertInto: moc)
    }

    deinit {
        if let contextReference {
            // SAFETY: a context lives as long as a thread is in a block of it. Any other one may be
            // about to go: nothing of it is looked at before `depart` has made it wait.
            if CurrentContext.isInnermost(contextReference) {
                NSManagedObjectContext.unregister(self, from: contextReference)
            } else {
                depart()
            }
        }
        if let extras = extrasWord.reference { extras.release() }
        if let draftReference { draftReference.release() }
        // SAFETY: `keepRuntime` has retained the model, which keeps the runtime until here.
        if runtimeHolds > 0, let model = runtime.model { Unmanaged.passUnretained(model).release() }
    }

    /// The entity of the class in the model that was used last.
    ///
    /// Where no model in use has exactly one entity for the class, a line on standard error says
    /// so, and the answer is a description without a name.
    open class func entity() -> NSEntityDescription {
        EntityClasses.entity(for: self)
    }

    /// A request for all objects of the class's entity.
    @_disfavoredOverload
    open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        NSFetchRequest(entityName: entity().name ?? "\(self)")
    }

    /// The object's ID: temporary until the first save, another one afterwards.
    ///
    /// An object that was made without a context has its temporary ID, too, and keeps it when it
    /// is inserted.
    ///
    /// May be asked for on any thread. A temporary ID that was asked for outside the context's
    /// queue names the object in its context until the save only.
    public final var objectID: NSManagedObjectID {
        // SAFETY: a context lives as long as a thread is in a block of it.
        guard let contextReference, CurrentContext.isInnermost(contextReference) else {
            return objectIDOutsideBlocks
        }
        return ownObjectID
    }

    /// The ID for the context's own thread, which keeps it.
    final var ownObjectID: NSManagedObjectID {
        if key.isTemporary, let context {
            context.adoptIfNeeded()
            context.adoptReservation(of: self)
        }
        let current = reservedKey ?? key
        if let known = extras?.objectID, known.key == current { return known }
        let id = NSManagedObjectID(
            key: current, runtime: runtime, store: context?.home(of: current))
        requireExtras().objectID = id
        return id
    }

    /// The object's entity.
    public final var entity: NSEntityDescription { runtime.description }

    /// The context; `nil` once the object's deletion was saved or its context was reset.
    ///
    /// May be asked for on any thread.
    public final var managedObjectContext: NSManagedObjectContext? {
        guard let contextReference else { return nil }
        // SAFETY: a context lives as long as a thread is in a block of it.
        return CurrentContext.isInnermost(contextReference)
            ? contextReference.takeUnretainedValue() : lookForContext()
    }

    /// Whether the object was inserted since the last save.
    public final var isInserted: Bool { flags.contains(.inserted) }
    /// Whether a saved object was changed since the last save.
    public final var isUpdated: Bool {
        flags.contains(.updated) && flags.isDisjoint(with: [.inserted, .deleted])
    }
    /// Whether the object was deleted since the last save; false again afterwards.
    ///
    /// True, too, for a fault that fired and whose record turned out to be gone. There is nothing
    /// to save of that one.
    public final var isDeleted: Bool { !flags.isDisjoint(with: [.deleted, .gone]) }
    /// Whether the object is inserted, updated or deleted; set even by a setter of an equal value.
    public final var hasChanges: Bool { !flags.isDisjoint(with: [.inserted, .updated, .deleted]) }
    /// Whether none of the values was asked for yet.
    public final var isFault: Bool { flags.contains(.fault) }
    /// 0 for an object with its values, 1 for a fault.
    public final var faultingState: Int { isFault ? 1 : 0 }

    // MARK: Life cycle

    /// Called once after the insertion, with the defaults in place; call super.
    open func awakeFromInsert() {}
    /// Called when a fault has got its values; call super.
    ///
    /// Setters do not mark the object as changed meanwhile.
    open func awakeFromFetch() {}
    /// Called instead of the two above when undo, redo, a rollback or a refresh has replaced
    /// values; call super.
    ///
    /// Setters do not mark the object as changed meanwhile.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
    /// Called when the object is deleted, while its relationships are still there.
    open func prepareForDeletion() {}
    /// Called before a save, and again if something has changed the object since; call super.
    open func willSave() {}
    /// Called after a save; call super.
    ///
    /// Also called once a deletion is saved: ``isDeleted`` is true and the attributes have their
    /// last values until it returns, so a file that the object names can be removed then. It has no
    /// context any more, and its relationships lead nowhere.
    open func didSave() {}
    /// Called before the values are dropped.
    open func willTurnIntoFault() {}
    /// Called after the values were dropped.
    open func didTurnIntoFault() {}

    /// Checks the object before its insertion is saved; call super first.
    open func validateForInsert() throws { try validateModel() }
    /// Checks the object before its update is saved; call super first.
    open func validateForUpdate() throws { try validateModel() }
    /// Checks the deny rules before the object's deletion is saved; call super first.
    open func validateForDelete() throws { try validateDenyRules() }

    /// Checks a value for a property: the model's rules, then the class's registered check.
    ///
    /// A save calls it for every property of inserted and updated objects where a class overrides
    /// it, and stores the value that it puts in place. Call super.
    ///
    /// - Throws: 1550 to 1690, or 1560 for several.
    open func validateValue(_ value: inout Any?, forKey key: String) throws {
        try validateModelledValue(&value, forKey: key)
    }

    /// The class's own checks of single properties; asked for once a class.
    open class var propertyValidators: [PropertyValidator] { [] }

    // MARK: Key-value coding

    /// The value of a property: through a registered accessor, else the modelled one.
    ///
    /// Numbers come as `NSNumber`, a to-many relationship as a `Set<NSManagedObject>` or, if it is
    /// ordered, as an `NSOrderedSet`. Any other key goes to ``value(forUndefinedKey:)``.
    open func value(forKey key: String) -> Any? {
        if let accessor = accessor(forKey: key) { return accessor.get(self) }
        return modelledValue(forKey: key)
    }

    /// Sets a property: through a registered accessor, else the modelled one.
    ///
    /// Traps for a value of the wrong class, which includes `NSNull`. Any other key goes to
    /// ``setValue(_:forUndefinedKey:)``.
    open func setValue(_ value: Any?, forKey key: String) {
        if let accessor = accessor(forKey: key) { return set(value, through: accessor) }
        setModelledValue(value, forKey: key)
    }

    /// Called for a key without a property; traps unless overridden.
    open func value(forUndefinedKey key: String) -> Any? {
        trap(
            "entity \(runtime.entity.name) has no property \(key); it has \(propertyList)")
    }

    /// Called to set a key without a property; traps unless overridden.
    open func setValue(_ value: Any?, forUndefinedKey key: String) {
        trap(
            "entity \(runtime.entity.name) has no property \(key) to set to \(value ?? "nil"); "
                + "it has \(propertyList)")
    }

    /// Called to set nil through a registered accessor whose type has no nil; traps unless
    /// overridden.
    open func setNilValueForKey(_ key: String) {
        trap("\(runtime.entity.name).\(key) cannot be nil")
    }

    /// The properties of the class that key-value coding goes through; asked for once a class.
    open class var keyValueAccessors: [KeyValueAccessor] { [] }

    /// Whether changes of properties that are not modelled leave an object unchanged; always true.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

    // MARK: NSObject

    /// Identity: two objects of one context are equal when they are the same object.
    public final override func isEqual(_ object: Any?) -> Bool {
        guard let object, mayBeSelf(object) else { return false }
        return object as? NSManagedObject === self
    }

    /// Whether the bits of a value are those of the reference to this object.
    ///
    /// Sets ask for equality often, and a cast costs more than all else they do.
    @inline(__always)
    private final func mayBeSelf<Other>(_ other: Other) -> Bool {
        guard MemoryLayout<Other>.size == MemoryLayout<UInt>.size else { return true }
        // SAFETY: any value of a word's size has the bits of a word. Those of a reference to this
        // object have to give true; the caller's cast rejects any other value that does.
        return unsafeBitCast(other, to: UInt.self) == UInt(bitPattern: ObjectIdentifier(self))
    }

    /// The identity's hash.
    public final override var hash: Int { Int(bitPattern: ObjectIdentifier(self)) }

    /// Class, entity, ID and, unless it is a fault, the values.
    open override var description: String {
        let values = isFault ? "<fault>" : describedValues()
        return "<\(type(of: self))> (entity: \(runtime.entity.name); "
            + "id: \(objectID.uriRepresentation()); data: \(values))"
    }
}
