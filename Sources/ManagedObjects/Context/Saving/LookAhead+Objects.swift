// SPDX-License-Identifier: Apache-2.0

import Store

/// A save of many objects passes over them several times, and they lie all over memory: what a pass
/// needs is loaded some turns before.
extension LookAhead {
    /// How many turns before its own an object is loaded, and later what it leads to.
    private static var distances: (object: Int, values: Int, members: Int) { (16, 8, 4) }
    /// The parts of an object, of its changes and of its relationships that a save looks at, in
    /// bytes.
    private static var byteCounts: (object: Int, draft: Int, extras: Int, key: Int, members: Int) {
        (128, 192, 192, 64, 128)
    }

    /// Loads what the objects behind a position in an order will need to be written.
    mutating func update(
        _ index: Int, _ order: ContiguousArray<Int>, _ objects: ContiguousArray<NSManagedObject>
    ) {
        let distances = LookAhead.distances
        if index + distances.object < order.count {
            object(in: objects, at: order[index + distances.object])
        }
        guard index + distances.values < order.count else { return }
        // SAFETY: the caller's list holds its objects throughout.
        let next = Unmanaged.passUnretained(objects[order[index + distances.values]])
        next._withUnsafeGuaranteedRef { next in
            changes(of: next)
            if let record = next.record { self.record(record) }
        }
        members(of: objects[order[index + distances.members]])
    }

    /// Loads what the objects behind a position will need to be written for the first time, or to
    /// become clean.
    @inline(__always)
    func wholeObject(_ index: Int, _ objects: ContiguousArray<NSManagedObject>) {
        guard let next = following(index, objects) else { return }
        // SAFETY: the caller's list holds its objects throughout.
        next._withUnsafeGuaranteedRef { changes(of: $0) }
        members(of: objects[index + LookAhead.distances.members])
    }

    /// Loads what the delete rules of the objects behind a position will ask for.
    @inline(__always)
    func links(_ index: Int, _ objects: ContiguousArray<NSManagedObject>) {
        guard let next = following(index, objects) else { return }
        // SAFETY: the caller's list holds its objects throughout.
        if let record = next._withUnsafeGuaranteedRef({ $0.record }) { values(record) }
    }

    /// Loads the objects behind a position, and the place of the keys that they were promised.
    @inline(__always)
    func reservedKey(_ index: Int, _ objects: ContiguousArray<NSManagedObject>) {
        guard let next = following(index, objects) else { return }
        // SAFETY: the caller's list holds its objects throughout.
        let extras = next._withUnsafeGuaranteedRef { $0.extrasWord.hint }
        if let extras { object(extras, byteCount: LookAhead.byteCounts.key) }
    }

    /// Loads the object a few turns behind a position in an order, which will be retained.
    @inline(__always)
    func object(
        _ index: Int, _ order: ContiguousArray<Int>, _ objects: ContiguousArray<NSManagedObject>
    ) {
        let index = index + LookAhead.distances.object
        if index < order.count { object(in: objects, at: order[index]) }
    }

    // SAFETY: the caller's list holds its objects throughout.
    /// Loads the object that comes in a while; returns the one whose turn is nearer, and whose
    /// values are to be loaded.
    @inline(__always)
    private func following(
        _ index: Int, _ objects: ContiguousArray<NSManagedObject>
    ) -> Unmanaged<NSManagedObject>? {
        let distances = LookAhead.distances
        if index + distances.object < objects.count {
            object(in: objects, at: index + distances.object)
        }
        guard index + distances.values < objects.count else { return nil }
        return Unmanaged.passUnretained(objects[index + distances.values])
    }

    // References are made unmanaged before anything is called: across a call an object would be
    // retained, which waits for the very memory that is to be loaded.

    @inline(__always)
    private func object(in objects: ContiguousArray<NSManagedObject>, at index: Int) {
        // SAFETY: only prefetched, and the caller's list holds its objects throughout.
        let next = Unmanaged.passUnretained(objects[index])
        object(next, byteCount: LookAhead.byteCounts.object)
    }

    /// Loads an object's changes, which are cleared or written soon.
    @inline(__always)
    private func changes(of next: NSManagedObject) {
        let byteCounts = LookAhead.byteCounts
        // SAFETY: only prefetched, and the object keeps its draft.
        let draft = next.draftReference
        let extras = next.extrasWord.hint
        if let draft { object(draft, byteCount: byteCounts.draft) }
        if let extras { object(extras, byteCount: byteCounts.extras) }
    }

    /// Loads what has changed of the first to-many relationship.
    @inline(__always)
    private func members(of next: NSManagedObject) {
        guard let extras = next.extrasWord.reference else { return }
        // SAFETY: the object keeps its extras, and this thread alone gives it others.
        let state = extras._withUnsafeGuaranteedRef { $0.toMany.leadingReference }
        if let state { object(state, byteCount: LookAhead.byteCounts.members) }
    }
}
