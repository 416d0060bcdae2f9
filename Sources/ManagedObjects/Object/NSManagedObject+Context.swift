// SPDX-License-Identifier: Apache-2.0

import Schema
import Synchronization

extension NSManagedObject {
    /// What the objects of the entity have in common, retained for as long as the caller uses it.
    final var runtime: EntityRuntime {
        @inline(__always) get { runtimeReference.takeUnretainedValue() }
    }

    /// The place of the entity in its model.
    final var runtimeOrdinal: Int {
        @inline(__always) get { runtimeReference._withUnsafeGuaranteedRef { $0.ordinal } }
    }

    /// The key under which the context knows the object.
    final var key: ObjectKey {
        @inline(__always) get { ObjectKey(rawValue: keyWord.load(ordering: .relaxed)) }
        @inline(__always) set { keyWord.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// What only some objects need.
    ///
    /// Threads other than the context's look at nothing of it but the reserved key.
    final var extras: ObjectExtras? {
        @inline(__always) get { extrasWord.load(ordering: .acquiring)?.takeUnretainedValue() }
        set {
            let new = newValue.map { Unmanaged.passRetained($0) }
            extrasWord.exchange(new, ordering: .acquiringAndReleasing)?.release()
        }
    }

    final func requireExtras() -> ObjectExtras {
        if let extras { return extras }
        let made = Unmanaged.passRetained(ObjectExtras())
        // As for the ID of an object without context, which any thread may ask for.
        let (isFirst, known) = extrasWord.compareExchange(
            expected: nil, desired: made, ordering: .acquiringAndReleasing)
        guard !isFirst, let known else { return made.takeUnretainedValue() }
        made.release()
        return known.takeUnretainedValue()
    }

    /// The context, unretained: used directly where counting a reference would cost more than the
    /// access itself.
    final var contextReference: Unmanaged<NSManagedObjectContext>? {
        @inline(__always) get { contextWord.load(ordering: .relaxed) }
        @inline(__always) set { contextWord.store(newValue, ordering: .relaxed) }
    }

    /// The context, retained for as long as the caller uses it.
    final var context: NSManagedObjectContext? {
        @inline(__always) get { contextReference?.takeUnretainedValue() }
        set {
            if newValue == nil { keepRuntime() }
            contextReference = newValue.map { Unmanaged.passUnretained($0) }
        }
    }
}

extension ContiguousArray where Element: AnyObject {
    /// Calls a body with each element without retaining it: the array keeps it alive.
    @inline(__always)
    func forEachUnretained(_ body: (Element) throws -> Void) rethrows {
        try self[...].forEachUnretained(body)
    }
}

extension ArraySlice where Element: AnyObject {
    /// Calls a body with each element without retaining it: the slice keeps it alive.
    @inline(__always)
    func forEachUnretained(_ body: (Element) throws -> Void) rethrows {
        for index in indices {
            try Unmanaged.passUnretained(self[index])._withUnsafeGuaranteedRef(body)
        }
    }
}
