// SPDX-License-Identifier: Apache-2.0

import Store

/// A save of many objects passes over them several times, and they lie all over memory: what a pass
/// needs is loaded some turns before.
extension LookAhead {
    /// How many turns before its own an object is loaded, and later what it leads to.
    private static var distances: (object: Int, values: Int) { (16, 8) }
    /// The parts of an object, of its changes and of its relationships that a save looks at, in
    /// bytes.
    private static var byteCounts: (object: Int, draft: Int, extras: Int) { (128, 192, 192) }

    /// Loads what the objects behind a position in an order will need to be written.
    mutating func update(
        _ index: Int, _ order: ContiguousArray<Int>, _ objects: ContiguousArray<NSManagedObject>
    ) {
        let (distances, byteCounts) = (LookAhead.distances, LookAhead.byteCounts)
        if index + distances.object < order.count {
            object(objects[order[index + distances.object]], byteCount: byteCounts.object)
        }
        guard index + distances.values < order.count else { return }
        // SAFETY: the caller's list holds its objects throughout.
        let next = Unmanaged.passUnretained(objects[order[index + distances.values]])
        next._withUnsafeGuaranteedRef { next in
            changes(of: next)
            if let record = next.record { self.record(record) }
        }
    }

    /// Loads what the objects behind a position will need to become clean.
    @inline(__always)
    func finish(_ index: Int, _ objects: ContiguousArray<NSManagedObject>) {
        let distances = LookAhead.distances
        if index + distances.object < objects.count {
            object(objects[index + distances.object], byteCount: LookAhead.byteCounts.object)
        }
        guard index + distances.values < objects.count else { return }
        // SAFETY: the caller's list holds its objects throughout.
        let next = Unmanaged.passUnretained(objects[index + distances.values])
        next._withUnsafeGuaranteedRef { changes(of: $0) }
    }

    /// Loads an object's changes, which are cleared or written soon.
    @inline(__always)
    private func changes(of next: NSManagedObject) {
        let byteCounts = LookAhead.byteCounts
        if let draft = next.draft { object(draft, byteCount: byteCounts.draft) }
        if let extras = next.extras { object(extras, byteCount: byteCounts.extras) }
    }
}
