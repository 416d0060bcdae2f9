// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Synchronization

@testable import ObjectTable

/// The owner of a registry, which the thread that made it uses.
// Sendable because one thread uses the registry, and the others only the list of departures.
final class Shelf: @unchecked Sendable {
    let departures = Departures<Thing>()
    let thread = pthread_self()
    var registry: ObjectRegistry<Thing>
    /// How many things have taken themselves out in their deinits.
    var removals = 0

    init() { registry = ObjectRegistry(departures) }

    /// Makes and registers a thing.
    func make(_ key: ObjectKey) -> Thing {
        let thing = Thing(key, on: self)
        registry.insert(thing, for: key)
        return thing
    }
}

/// A plain object of a registry.
final class Thing: RegisteredObject {
    let key: ObjectKey
    private let shelf: Shelf?
    private let hasOwner: Atomic<Bool>
    private let departing = Atomic<UInt>(0)
    private(set) var wasDismissed = false
    /// Runs in the deinit, before the thing leaves its owner.
    var onExit: (() -> Void)?
    /// Runs in the deinit once the thing has left its owner and is still in its cell.
    var onLeave: (() -> Void)?

    init(_ key: ObjectKey, on shelf: Shelf? = nil) {
        self.key = key
        self.shelf = shelf
        hasOwner = Atomic(shelf != nil)
    }

    deinit {
        departing.store(UInt(pthread_self()), ordering: .relaxed)
        onExit?()
        guard leaveOwner(), let shelf else { return }
        onLeave?()
        if !isDepartingHere { return }
        if shelf.thread == pthread_self() {
            if !shelf.registry.removeAtHand(self, for: key) {
                shelf.registry.remove(self, for: key)
            }
            shelf.removals += 1
        } else {
            shelf.departures.post(self)
        }
    }

    func leaveOwner() -> Bool { hasOwner.exchange(false, ordering: .acquiringAndReleasing) }

    var isDepartingHere: Bool { departing.load(ordering: .relaxed) == UInt(pthread_self()) }

    func noteDeparture() { departing.store(0, ordering: .relaxed) }

    func dismiss() {
        wasDismissed = true
        _ = leaveOwner()
    }

    /// Those of even rows are asked for.
    static func wantsDepartedKey(_ key: ObjectKey) -> Bool { key.row % 2 == 0 }
}

func key(_ row: UInt64, entity: UInt16 = 1) -> ObjectKey {
    ObjectKey(entity: EntityNumber(rawValue: entity), row: row)
}

/// The only references to things, which a thread of its own releases.
// Sendable because the threads take turns.
final class Parcel: @unchecked Sendable {
    private var things: [Thing] = []
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ things: consuming [Thing]) { self.things = things }

    /// Begins to release the things; ``join()`` waits for the end.
    func release() {
        Thread.detachNewThread {
            self.things = []
            self.hasEnded.signal()
        }
    }

    func join() { hasEnded.wait() }
}

/// A place in a deinit at which another thread waits.
final class Gate: Sendable {
    private let isThere = DispatchSemaphore(value: 0)
    private let mayGo = DispatchSemaphore(value: 0)

    func pass() {
        isThere.signal()
        mayGo.wait()
    }

    func awaitArrival() { isThere.wait() }
    func open() { mayGo.signal() }
}
