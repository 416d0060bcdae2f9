// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Traps

/// What a fetch request may return: objects, object IDs, dictionaries or numbers.
///
/// As it requires nothing, `any NSFetchRequestResult` adopts it, too, and goes where a type that
/// does is asked for. A value cannot be asked whether its type adopts it.
@_marker public protocol NSFetchRequestResult {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// One object of a model's entity: a view on its record in the store, and the changes on top of it.
///
/// *States.* An object is **inserted** from its creation to its first save; **a fault** while none
/// of its values was asked for; **realised** from then on; **updated** or **deleted** until the
/// save. A realised object keeps its values: nobody else's save changes them until the context
/// refreshes.
///
/// *Ownership.* A context has one object an ID, and keeps it alive only while it has changes. The
/// object does not keep its context alive; without one it has no values.
///
/// *Threads.* Used on its context's queue only, which includes the release of the last reference.
open class NSManagedObject: NSObject, NSFetchRequestResult {
    // The stored state is plain values that one thread reads and writes; a run-time check of
    // overlapping accesses on each would cost more than the access.
    // Unowned, as counting a reference with each fault made would cost as much as the fault's own
    // bytes: the model of the object's context keeps it, and without a context the object itself
    // does, see `ownsRuntime`.
    final let runtimeReference: Unmanaged<EntityRuntime>
    // Unretained: cleared by the context for each registered object before it goes. Used directly
    // where counting a reference would cost more than the access itself.
    @exclusivity(unchecked) final var contextReference: Unmanaged<NSManagedObjectContext>?
    @exclusivity(unchecked) final var key: ObjectKey
    /// The bytes of the record, valid while `boundStamp` is the context's.
    @exclusivity(unchecked) final var record: RecordView?
    /// The stamp at which `record` may be read without further questions; 0 for a fault.
    @exclusivity(unchecked) final var readStamp: UInt32 = 0
    @exclusivity(unchecked) final var boundStamp: UInt32 = 0
    /// The values that differ from the record.
    @exclusivity(unchecked) final var draft: RecordDraft?
    @exclusivity(unchecked) final var flags: ObjectFlags = []
    /// Whether the object has retained the runtime's model: it was without a context once.
    @exclusivity(unchecked) final private(set) var ownsRuntime = false
    @exclusivity(unchecked) final var extras: ObjectExtras?

    // The parameters are plain ones: an override that says nothing of ownership would release
    // shared ones, which nobody has retained.

    /// Makes an object of an entity and inserts it into a context.
    ///
    /// Its class is the entity's, even where another one above that is asked, as in
    /// `NSManagedObject(entity: entity, insertInto: context)`. That traps for a class with stored
    /// properties of its own, and passes over an initialiser of its own.
    ///
    /// - Parameters:
    ///   - entity: A concrete entity of the context's model.
    ///   - context: The context to insert into, or `nil` for an object that is inserted later.
    @inline(never)
    // Not inlined: who makes an object must not know its class, which may change in here.
    public required init(
        entity: NSEntityDescription, insertInto context: NSManagedObjectContext?
    ) {
        key = ObjectKey(rawValue: 0)
        guard let context else {
            runtimeReference = Unmanaged.passUnretained(entity.requireRuntime())
            super.init()
            takeEntityClass()
            keepRuntime()
            return
        }
        runtimeReference = context.runtimeReference(for: entity)
        guard context.takeFaultRequest(of: entity) else {
            super.init()
            takeEntityClass()
            context.insertNew(self)
            return
        }
        contextReference = Unmanaged.passUnretained(context)
        flags = .untracked
        super.init()
        // Whoever makes a fault has not retained what it passes, see `makeFault`: both would be
        // released here, which the compiler makes nothing of.
        _ = Unmanaged.passRetained(entity)
        _ = Unmanaged.passRetained(context)
    }

    /// Keeps the runtime from now on, with those that its relationships lead to: the object has no
    /// context whose model does.
    final func keepRuntime() {
        if ownsRuntime { return }
        ownsRuntime = true
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
        contextReference?._withUnsafeGuaranteedRef {
            $0.registry.remove(self, for: key)
            if key.isElsewhere { $0.didUnregister(key) }
        }
        if ownsRuntime, let model = runtime.model { Unmanaged.passUnretained(model).release() }
    }

    /// The entity of the class in the model that was used last; traps when no model names the
    /// class.
    open class func entity() -> NSEntityDescription {
        EntityClasses.entity(for: self)
    }

    /// A request for all objects of the class's entity.
    @_disfavoredOverload
    open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        NSFetchRequest(entityName: entity().name ?? "")
    }

    /// The object's ID: temporary until the first save, another one afterwards.
    ///
    /// An object that was made without a context has its temporary ID, too, and keeps it when it
    /// is inserted.
    public final var objectID: NSManagedObjectID {
        if key.isTemporary { context?.adoptIfNeeded() }
        let current = extras?.reservedKey ?? key
        if let known = extras?.objectID, known.key == current { return known }
        if current.rawValue == 0 { return detachedID }
        let id = NSManagedObjectID(
            key: current, runtime: runtime, store: context?.store(of: current))
        requireExtras().objectID = id
        return id
    }

    /// The object's entity.
    public final var entity: NSEntityDescription { runtime.description }

    /// The context; `nil` once the object's deletion was saved or its context was reset.
    public final var managedObjectContext: NSManagedObjectContext? { context }

    /// Whether the object was inserted since the last save.
    public final var isInserted: Bool { flags.contains(.inserted) }
    /// Whether a saved object was changed since the last save.
    public final var isUpdated: Bool {
        flags.contains(.updated) && flags.isDisjoint(with: [.inserted, .deleted])
    }
    /// Whether the object was deleted since the last save; false again afterwards.
    public final var isDeleted: Bool { flags.contains(.deleted) }
    /// Whether the object is inserted, updated or deleted; set even by a setter of an equal value.
    public final var hasChanges: Bool { !flags.isDisjoint(with: [.inserted, .updated, .deleted]) }
    /// Whether none of the values was asked for yet.
    public final var isFault: Bool { flags.contains(.fault) }
    /// 0 for an object with its values, 1 for a fault.
    public final var faultingState: Int { isFault ? 1 : 0 }

    final func requireExtras() -> ObjectExtras {
        if let extras { return extras }
        let made = ObjectExtras()
        extras = made
        return made
    }

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
    /// Called before a save, again while setters change something; call super.
    open func willSave() {}
    /// Called after a save; call super.
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
    /// it, and sets what it puts in the place of the value. Call super.
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

    /// Called for a key that leads to nothing; traps unless overridden.
    open func value(forUndefinedKey key: String) -> Any? {
        trap(
            "entity \(runtime.entity.name) has no property \(key); it has \(propertyList)")
    }

    /// Called to set a key that leads to nothing; traps unless overridden.
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
        return unsafeBitCast(other, to: UInt.self) == UInt(bitPattern: ObjectIdentifier(self))
    }

    /// The identity's hash.
    public final override var hash: Int { Int(bitPattern: ObjectIdentifier(self)) }

    /// Class, entity, ID and, unless it is a fault, the values.
    open override var description: String {
        let values = isFault ? "<fault>" : "\(currentAttributes())"
        return "<\(type(of: self))> (entity: \(runtime.entity.name); "
            + "id: \(objectID.uriRepresentation()); data: \(values))"
    }
}
