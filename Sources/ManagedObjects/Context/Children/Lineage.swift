// SPDX-License-Identifier: Apache-2.0

import Schema
import Synchronization

/// What a root context and its descendants know of each other: the permanent keys of objects that
/// descendants may know under their temporary ones, and the versions of records that the root has
/// written or merged.
final class Lineage: Sendable {
    private struct State {
        /// The keys that saves gave, oldest first, with the generation of the last save in each
        /// entry: at most one entry for each descendant.
        var log: [(generation: Int, keys: [ObjectKey: ObjectKey])] = []
        var generation = 0
        /// For each descendant the generation that it has adopted.
        var readers: [Int: Int] = [:]
        var nextReader = 0
        /// The temporary keys of unsaved objects, by the permanent ones that they will have.
        var reserved: [ObjectKey: ObjectKey] = [:]
        /// The permanent keys of unsaved objects, by the temporary ones that they have.
        var permanent: [ObjectKey: ObjectKey] = [:]
        /// What belongs in these two, but was not asked for yet.
        // A root without descendants, the usual one, never asks.
        var unsorted: ContiguousArray<(permanent: ObjectKey, temporary: ObjectKey)> = []
        /// The versions of records that the root has written or merged last, while there are
        /// descendants.
        var seen: [ObjectKey: UInt32] = [:]

        mutating func sortReservations() {
            for (permanent, temporary) in unsorted {
                reserved[permanent] = temporary
                self.permanent[temporary] = permanent
            }
            unsorted = []
        }
    }

    // The root writes and its descendants read, each on its own queue.
    private let state = Mutex(State())
    private let current = Atomic<Int>(0)
    // Spares contexts without reservations the lock.
    private let reservations = Atomic<Int>(0)

    /// Counts the saves of the root that gave permanent keys.
    var generation: Int { current.load(ordering: .acquiring) }

    /// Adds a descendant, which has nothing to adopt so far.
    func join() -> (reader: Int, generation: Int) {
        state.withLock { state in
            state.nextReader += 1
            state.readers[state.nextReader] = state.generation
            return (state.nextReader, state.generation)
        }
    }

    func leave(_ reader: Int) {
        state.withLock { state in
            state.readers[reader] = nil
            if state.readers.isEmpty { state.seen = [:] }
            Lineage.prune(&state)
        }
    }

    /// Whether a descendant needs to know the permanent keys.
    var isWatched: Bool { state.withLock { !$0.readers.isEmpty } }

    /// Notes the versions of records that the root has written or merged.
    func noteSeen(_ versions: [ObjectKey: UInt32]) {
        state.withLock { state in
            if !state.readers.isEmpty { state.seen.merge(versions) { $1 } }
        }
    }

    /// The version of a record that the root has written or merged last.
    func seenVersion(of key: ObjectKey) -> UInt32? { state.withLock { $0.seen[key] } }

    /// Tells the descendants what has become of temporary keys.
    func publish(_ keys: [ObjectKey: ObjectKey]) {
        state.withLock { state in
            if hasReservations {
                state.sortReservations()
                for (temporary, key) in keys {
                    state.reserved[key] = nil
                    state.permanent[temporary] = nil
                }
                reservations.store(state.reserved.count, ordering: .releasing)
            }
            guard !state.readers.isEmpty, !keys.isEmpty else { return }
            state.generation += 1
            state.log.append((state.generation, keys))
            Lineage.prune(&state)
            current.store(state.generation, ordering: .releasing)
        }
    }

    /// Tells the descendants what a save of the root has made of temporary keys.
    ///
    /// Without descendants only the root has reserved keys, and its objects are saved: all
    /// reservations are forgotten at once, and no context needs the list of keys.
    ///
    /// - Parameter isWhole: Whether the save was that of all unsaved objects of the root.
    func publishSave(isWhole: Bool, _ keys: () -> [ObjectKey: ObjectKey]) {
        let isForgotten = state.withLock { state in
            guard isWhole, state.readers.isEmpty else { return false }
            state.reserved = [:]
            state.permanent = [:]
            state.unsorted = []
            reservations.store(0, ordering: .releasing)
            return true
        }
        if !isForgotten, isWatched || hasReservations { publish(keys()) }
    }

    /// The keys given after a generation, for a descendant that adopts them now.
    func keys(
        after generation: Int, for reader: Int
    ) -> (keys: [ObjectKey: ObjectKey], generation: Int) {
        state.withLock { state in
            var keys: [ObjectKey: ObjectKey] = [:]
            for entry in state.log where entry.generation > generation {
                if keys.isEmpty { keys = entry.keys } else { keys.merge(entry.keys) { $1 } }
            }
            state.readers[reader] = state.generation
            Lineage.prune(&state)
            return (keys, state.generation)
        }
    }

    /// The permanent key of a temporary one that some descendant has not adopted yet.
    func permanentKey(of key: ObjectKey) -> ObjectKey? {
        state.withLock { state in state.log.lazy.compactMap { $0.keys[key] }.first }
    }

    /// Whether there are unsaved objects whose permanent keys are known.
    var hasReservations: Bool { reservations.load(ordering: .acquiring) > 0 }

    /// Tells the descendants under which key they find an object that has its permanent one early.
    func reserve(_ permanent: ObjectKey, for temporary: ObjectKey) {
        state.withLock { state in
            state.unsorted.append((permanent, temporary))
            reservations.store(state.reserved.count + state.unsorted.count, ordering: .releasing)
        }
    }

    /// Tells the descendants that the object which had its permanent key early is gone: whatever
    /// the store has under that key is found by it.
    func dropReservation(_ permanent: ObjectKey) {
        state.withLock { state in
            state.sortReservations()
            if let temporary = state.reserved.removeValue(forKey: permanent) {
                state.permanent[temporary] = nil
            }
            reservations.store(state.reserved.count, ordering: .releasing)
        }
    }

    /// The temporary key of an unsaved object whose permanent key was requested.
    func temporaryKey(of permanent: ObjectKey) -> ObjectKey? {
        guard hasReservations else { return nil }
        return state.withLock { state in
            state.sortReservations()
            return state.reserved[permanent]
        }
    }

    /// The permanent key of an unsaved object, if it was requested.
    func reservedKey(of temporary: ObjectKey) -> ObjectKey? {
        guard hasReservations else { return nil }
        return state.withLock { state in
            state.sortReservations()
            return state.permanent[temporary]
        }
    }

    /// Drops what all descendants have adopted, and puts together what none has adopted a part of.
    ///
    /// Otherwise a descendant that is not used would have a look-up pass by each save since.
    private static func prune(_ state: inout State) {
        let least = state.readers.values.min() ?? state.generation
        state.log.removeAll { $0.generation <= least }
        guard state.log.count > 1 else { return }
        // A descendant has adopted whole entries.
        let adopted = Set(state.readers.values)
        var end = 0
        for index in 1..<state.log.count {
            if adopted.contains(state.log[end].generation) {
                end += 1
                if end != index { state.log.swapAt(end, index) }
            } else {
                state.log[end].generation = state.log[index].generation
                state.log[end].keys.merge(state.log[index].keys) { $1 }
            }
        }
        state.log.removeSubrange((end + 1)...)
    }
}
