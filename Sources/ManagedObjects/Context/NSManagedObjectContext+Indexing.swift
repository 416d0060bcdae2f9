// SPDX-License-Identifier: Apache-2.0

import Schema

/// A class whose unsaved objects a layer above finds by their values, without looking at them all.
///
/// Once the layer has an index, a context notes such an object when it is inserted and when it is
/// changed, and again at the first change after the layer has taken the notes. The layer takes them
/// before each search. So its index is right however the change was made: by a setter, an undo, a
/// child's save or a merge, or by others in what is not changed here. A refresh or a merge policy
/// takes changes back without a note and leaves outdated entries, so the layer has to compare what
/// the index finds with the object.
package protocol IndexedWhileUnsaved: NSManagedObject {}

extension NSManagedObject {
    /// Whether the class is indexed; one comparison, as an entity's objects have one class.
    @inline(__always)
    final var isIndexable: Bool {
        let identity = UInt(bitPattern: ObjectIdentifier(Swift.type(of: self)))
        // SAFETY: the object keeps its runtime, see `runtimeReference`.
        return runtimeReference._withUnsafeGuaranteedRef {
            if $0.unindexedClass.load(ordering: .relaxed) == identity { return false }
            return $0.findIndexing(of: Swift.type(of: self), identity)
        }
    }

    /// Notes before a change that indexes have to look at the object again, if one knows it.
    @inline(__always)
    final func noteUnindexed() {
        if flags.contains(.indexed) { context?.noteUnindexed(self) }
    }
}

extension EntityRuntime {
    @inline(never)
    fileprivate final func findIndexing(of type: NSManagedObject.Type, _ identity: UInt) -> Bool {
        if indexedClass.load(ordering: .relaxed) == identity { return true }
        let isIndexed = type is any IndexedWhileUnsaved.Type
        if isIndexed {
            indexedClass.store(identity, ordering: .relaxed)
        } else {
            unindexedClass.store(identity, ordering: .relaxed)
        }
        return isIndexed
    }
}

extension NSManagedObjectContext {
    /// Notes that indexes have to look at an object again.
    final func noteUnindexed(_ object: NSManagedObject) {
        object.flags.remove(.indexed)
        noteIndexable(object)
        changes.pendingIndex?.noteChange(of: object)
    }

    /// Notes an object that indexes of layers above do not have yet, if there is any: a new one
    /// takes all objects.
    @inline(__always)
    final func noteIndexable(_ object: NSManagedObject) {
        if changes.isIndexed, object.isIndexable { changes.unindexed.append(object) }
    }

    /// Whether ``takeUnindexed()`` has any object.
    package final var hasUnindexed: Bool { !changes.unindexed.isEmpty }

    /// The objects of indexed classes that were inserted or changed since this was asked last.
    ///
    /// - Complexity: O(those objects).
    package final func takeUnindexed() -> ContiguousArray<NSManagedObject> {
        guard !changes.unindexed.isEmpty else { return [] }
        let taken = changes.unindexed
        changes.unindexed = []
        for object in taken { object.flags.insert(.indexed) }
        return taken
    }

    /// All inserted and updated objects of indexed classes, for a new index.
    ///
    /// - Complexity: O(unsaved objects).
    package final func takeAllIndexable() -> ContiguousArray<NSManagedObject> {
        changes.unindexed = []
        changes.isIndexed = true
        var taken: ContiguousArray<NSManagedObject> = []
        for list in [changes.inserted, changes.updated] {
            list.forEachUnretained { if $0.hasChanges, $0.isIndexable { taken.append($0) } }
        }
        for object in taken { object.flags.insert(.indexed) }
        return taken
    }
}
