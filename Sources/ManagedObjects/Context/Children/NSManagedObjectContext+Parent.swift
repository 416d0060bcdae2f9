// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store
import Traps

extension NSManagedObjectContext {
    /// The context that this one reads from and saves into; `nil` for one on a coordinator.
    ///
    /// Set once, before the context is used, in place of ``persistentStoreCoordinator``. A child
    /// sees the parent's unsaved state; its own save moves its changes into the parent, in memory,
    /// and only the save of the root writes them to the store. Realised objects of a child keep
    /// their values whatever the parent does, until they are refreshed or merged.
    ///
    /// Children nest to any depth. Reading and saving enter the parent's queue, so waiting for the
    /// child on that queue deadlocks.
    public final var parent: NSManagedObjectContext? {
        get { source?.parent }
        set {
            guard newValue !== source?.parent else { return }
            guard let newValue else {
                trap("a context keeps its parent; make another context without one")
            }
            becomeChild(of: newValue)
        }
    }

    private final func becomeChild(of parent: NSManagedObjectContext) {
        require(
            source == nil, "a context keeps its parent; make another context for another one")
        require(
            !hasOwnCoordinator, "a context has a parent or a persistentStoreCoordinator, not both")
        var ancestor: NSManagedObjectContext? = parent
        while let step = ancestor {
            require(step !== self, "a context cannot be its own ancestor")
            ancestor = step.source?.parent
        }
        source = ParentSource(parent, of: self)
        seenMainLosses = lostMainCount ?? -1
        if automaticallyMergesChangesFromParent { listenToSaves(true) }
    }

    /// What a root tells its descendants, made for the first of them.
    final func requireLineage() -> Lineage {
        childLinks.lineage.withLock { lineage in
            if let lineage { return lineage }
            let made = Lineage()
            lineage = made
            return made
        }
    }

    /// What the root of this context tells its descendants.
    final var familyLineage: Lineage { source?.lineage ?? requireLineage() }

    /// What this root has told its descendants; `nil` while it never had one.
    final var lineage: Lineage? { childLinks.lineage.withLock { $0 } }
}

extension NSManagedObjectContext {
    /// The registered object of a key that a relative uses, which may be out of date.
    final func known(_ key: ObjectKey) -> NSManagedObject? {
        if let object = registry[key] ?? reserved[key] { return object }
        let current = currentKey(of: key)
        return current == key ? nil : registry[current]
    }

    /// The key under which the object of a key, which may be out of date, is known by now.
    ///
    /// A child knows an object by its temporary key until the root has saved it, even if its
    /// permanent key was requested before.
    final func currentKey(of key: ObjectKey) -> ObjectKey {
        guard key.isTemporary else { return source?.lineage.temporaryKey(of: key) ?? key }
        if let source {
            return source.recent[key] ?? source.lineage.permanentKey(of: key) ?? key
        }
        return lineage?.permanentKey(of: key) ?? key
    }

    /// The object of a key that a relative uses: the registered one, or a new fault.
    final func relative(_ key: ObjectKey, _ runtime: EntityRuntime) -> NSManagedObject {
        known(key) ?? makeFault(currentKey(of: key), runtime)
    }

    /// The object of a key that something in this child refers to.
    final func inheritedObject(for key: ObjectKey, _ source: ParentSource) -> NSManagedObject? {
        let (object, key) = look(for: key, source)
        if let object { return object }
        if key.isTemporary { return runtimeOfUnsaved(key).map { makeFault(key, $0) } }
        return runtime(of: key).map { makeFault(key, $0) }
    }

    /// The object with the key of an ID, even if no context has it.
    final func inheritedObject(
        for key: ObjectKey, _ runtime: EntityRuntime, _ source: ParentSource
    ) -> NSManagedObject {
        let (object, current) = look(for: key, source)
        if let object { return object }
        let fault = makeFault(current, runtime)
        if current.isTemporary, !key.isTemporary { reserve(key, for: fault) }
        return fault
    }

    /// The registered object of a key, else the key to make its fault under.
    private final func look(
        for key: ObjectKey, _ source: ParentSource
    ) -> (NSManagedObject?, ObjectKey) {
        while true {
            adoptIfNeeded()
            if let object = known(key) { return (object, key) }
            let current = currentKey(of: key)
            // A save of the root in between may have given the key to a registered object.
            if !source.isBehind { return (nil, current) }
        }
    }

    /// The entity of an object that has no permanent key yet; `nil` if no context has it.
    final func runtimeOfUnsaved(_ key: ObjectKey) -> EntityRuntime? {
        if let object = known(key) { return object.runtime }
        return source.flatMap { source in
            source.parent.enterQueue { source.parent.runtimeOfUnsaved(key) }
        }
    }

    /// Takes over the permanent key that an object of an ancestor has before its save.
    @inline(__always)
    final func adoptReservation(of object: NSManagedObject) {
        guard let source, !object.isInserted, object.reservedKey == nil,
            let permanent = source.lineage.reservedKey(of: object.key)
        else { return }
        reserve(permanent, for: object)
    }

    /// Takes over the permanent keys that the root has given meanwhile.
    @inline(__always)
    final func adoptIfNeeded() {
        if let source, source.isBehind { adoptPermanentKeys(source) }
    }

    @inline(never)
    private final func adoptPermanentKeys(_ source: ParentSource) {
        let keys = source.takePermanentKeys()
        if !keys.isEmpty { giveKeys(keys) }
    }

    /// Gives objects other keys, here and in all that leads to them.
    final func giveKeys(_ keys: [ObjectKey: ObjectKey]) {
        for object in registry.objects where object.runtime.hasRelationships {
            object.replaceReferences(keys)
        }
        for (old, new) in keys {
            guard let object = registry[old] else { continue }
            registry.remove(object, for: old)
            object.key = new
            object.becomePermanent(new, storeNumber(of: new))
            reserved.remove(new)
            registry.insert(object, for: new)
        }
    }
}
