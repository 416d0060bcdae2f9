// SPDX-License-Identifier: Apache-2.0

import Schema
import Synchronization

extension NSManagedObject {
    /// What the objects of the entity have in common, retained for as long as the caller uses it.
    final var runtime: EntityRuntime {
        @inline(__always) get { runtimeReference.takeUnretainedValue() }
    }

    /// The place of the entity in its model.
    // SAFETY: the object keeps its runtime, see `runtimeReference`.
    final var runtimeOrdinal: Int {
        @inline(__always) get { runtimeReference._withUnsafeGuaranteedRef { $0.ordinal } }
    }

    /// The key under which the context knows the object.
    @usableFromInline package final var key: ObjectKey {
        @inline(__always) get { ObjectKey(rawValue: keyWord.load(ordering: .relaxed)) }
        @inline(__always) set { keyWord.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Whether there is anything that only some objects need.
    @inline(__always)
    final var hasExtras: Bool { extrasWord.hint != nil }

    /// What only some objects need.
    ///
    /// Threads other than the context's look at nothing of it but the reserved key.
    final var extras: ObjectExtras? {
        @inline(__always) get { extrasWord.reference?.takeUnretainedValue() }
        set {
            // SAFETY: the word takes over one count of the new value and gives back that of the
            // old one, for whose reserved key no other thread may be asking just then.
            let new = newValue.map { Unmanaged.passRetained($0) }
            extrasWord.exchange(new)?.release()
        }
    }

    final func requireExtras() -> ObjectExtras { extrasWord.require().takeUnretainedValue() }

    /// The permanent key that a new object has before its save, once its ID was asked for.
    ///
    /// May be asked for on any thread.
    final var reservedKey: ObjectKey? { extrasWord.reservedKey }

    /// Takes a permanent key before the save; the ID handed out before learns of it.
    ///
    /// - Parameter store: The number of the key's store, see ``FormerStores``.
    @inline(__always)
    final func takeReservedKey(_ key: ObjectKey, _ store: @autoclosure () -> UInt32) {
        if !extrasWord.keep(key) { requireExtras().reserve(key, store()) }
    }

    /// The object is saved: its key is the permanent one, and was set before.
    ///
    /// - Parameter store: The number of the key's store, see ``FormerStores``.
    @inline(__always)
    final func becomePermanent(_ key: ObjectKey, _ store: @autoclosure () -> UInt32) {
        if !extrasWord.forgetKey() { extras?.becomePermanent(key, store()) }
    }

    /// The store of the reserved key is gone: the first save gives another one.
    final func dropReservedKey() {
        if !extrasWord.forgetKey() { extras?.dropReservation() }
    }

    /// The context, unretained: used directly where counting a reference would cost more than the
    /// access itself.
    // SAFETY: a context clears it before it goes. It does not go while its own thread uses it: a
    // block keeps it, and outside blocks the program does. Other threads only compare it, or go
    // through `lookForContext` or `depart`.
    final var contextReference: Unmanaged<NSManagedObjectContext>? {
        @inline(__always) get { contextWord.load(ordering: .relaxed) }
        @inline(__always) set { contextWord.store(newValue, ordering: .relaxed) }
    }

    /// The context, retained for as long as the caller uses it.
    final var context: NSManagedObjectContext? {
        @inline(__always) get { contextReference?.takeUnretainedValue() }
        set {
            if newValue == nil {
                keepRuntime()
                formerStore = 0
            }
            // SAFETY: the new context registers the object, and so clears this before it goes.
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
            // SAFETY: the slice holds its elements throughout the call.
            try Unmanaged.passUnretained(self[index])._withUnsafeGuaranteedRef(body)
        }
    }
}
