// SPDX-License-Identifier: Apache-2.0

import Schema
import Synchronization

/// Which objects the last commits of this process changed.
///
/// A context that moves its snapshot copies the old records of those objects only. When the log
/// does not reach back far enough, or another process committed, every realised object is looked
/// at.
final class ChangeLog: Sendable {
    private struct Entry {
        let transactionID: UInt64
        let keys: [ObjectKey]
        /// How many objects were changed that are not in `keys`: a batch may change them all.
        var unlistedCount = 0
    }

    /// What a save has changed.
    struct Note: Sendable {
        let transactionID: UInt64
        var keys: [ObjectKey]
    }

    private struct State {
        // Ascending by transaction, although the threads that save may arrive in another order.
        var entries: [Entry] = []
        var keyCount = 0
    }

    private static let limit = 65_536
    private static let entryLimit = 8_192
    /// What a commit of unknown extent counts, in pages.
    private static let foreignCount = 8
    // Contexts of any queue save and move.
    private let state = Mutex(State())

    /// Notes a commit.
    func append(_ transactionID: UInt64, _ keys: [ObjectKey]) {
        append(Entry(transactionID: transactionID, keys: keys))
    }

    /// Notes a commit of several saves, without those that wrote nothing.
    func append(_ notes: [Note?]) {
        var all: Note?
        for case let note? in notes {
            guard all != nil else {
                all = note
                continue
            }
            all?.keys += note.keys
        }
        if let all { append(all.transactionID, all.keys) }
    }

    /// Notes the commit of a batch, whose objects may be too many to be listed one by one.
    func append(_ transactionID: UInt64, batch keys: ContiguousArray<ObjectKey>, count: Int) {
        let isListed = keys.count == count && count <= ChangeLog.limit
        append(
            Entry(
                transactionID: transactionID, keys: isListed ? Array(keys) : [],
                unlistedCount: isListed ? 0 : count))
    }

    /// Notes commits that this coordinator did not make, with the number of the newest: what they
    /// changed is not known here.
    func append(foreign transactionID: UInt64, count: Int) {
        append(
            Entry(
                transactionID: transactionID, keys: [],
                unlistedCount: ChangeLog.foreignCount * count))
    }

    private func append(_ entry: Entry) {
        state.withLock { state in
            let position = state.entries.lastIndex { $0.transactionID < entry.transactionID } ?? -1
            state.entries.insert(entry, at: position + 1)
            state.keyCount += entry.keys.count
            while state.keyCount > ChangeLog.limit, state.entries.count > 1 {
                state.keyCount -= state.entries.removeFirst().keys.count
            }
            // Entries without keys count as well; half of them at once, as all others move.
            guard state.entries.count > ChangeLog.entryLimit else { return }
            for entry in state.entries.prefix(ChangeLog.entryLimit / 2) {
                state.keyCount -= entry.keys.count
            }
            state.entries.removeFirst(ChangeLog.entryLimit / 2)
        }
    }

    /// Which of some objects were changed last by a commit of this process, as far as it is known.
    ///
    /// An object is not among them when another process may have committed since.
    func ownChanges(of keys: Set<ObjectKey>, through newest: UInt64) -> Set<ObjectKey> {
        state.withLock { state in
            var found: Set<ObjectKey> = []
            var expected = newest
            for entry in state.entries.reversed() where entry.transactionID <= newest {
                guard entry.transactionID == expected, entry.unlistedCount == 0,
                    found.count < keys.count
                else { break }
                for key in entry.keys where keys.contains(key) { found.insert(key) }
                expected -= 1
            }
            return found
        }
    }

    /// The objects changed by the transactions after one and through another; `nil` for unknown.
    func keys(after old: UInt64, through new: UInt64) -> [ObjectKey]? {
        state.withLock { state in
            guard new > old else { return [] }
            var keys: [ObjectKey] = []
            var expected = new
            for entry in state.entries.reversed() where entry.transactionID <= new {
                guard entry.transactionID == expected, entry.unlistedCount == 0 else {
                    return nil
                }
                keys += entry.keys
                if entry.transactionID == old + 1 { return keys }
                expected -= 1
            }
            return nil
        }
    }

    /// How many pages, roughly, a snapshot of a transaction keeps from being reused: an object
    /// changed since counts one, and a commit eight for the upper levels of its trees.
    func weight(after transactionID: UInt64) -> Int {
        state.withLock { state in
            var weight = 0
            for entry in state.entries.reversed() {
                guard entry.transactionID > transactionID else { return weight }
                weight += 8 + entry.keys.count + entry.unlistedCount
            }
            return weight
        }
    }
}
