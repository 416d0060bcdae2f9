// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LMDB
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Watches the files of all stores of the process, with one source of events.
///
/// After an event it does not listen for some milliseconds, first two and then more and more: a
/// file that is written all the time costs some wake-ups a second, and one that is not written
/// none. The pause stays at two milliseconds while a watch waits for the next commit.
// SAFETY: `watches` has a lock. `pause` and `listensSince` are used on `queue` only, which runs one
// block at a time. Nothing else changes once `init` has returned.
final class CommitWatcher: @unchecked Sendable {
    private struct Place {
        let file: Int32
        let identity: ObjectIdentifier
        weak var watch: CommitWatch?
    }

    /// `nil` until it was first asked for and the system had room for it.
    static var shared: CommitWatcher? { made.withLock { $0 } }

    // Stores of any thread ask.
    private static let made = Mutex<CommitWatcher?>(nil)

    private let events: FileEvents
    private let queue = DispatchQueue(label: "lode.commits", qos: .userInitiated)
    private let source: any DispatchSourceRead
    // Stores of any thread come and go. A list, as a process has few stores, and its first
    // dictionary with keys of a new type costs more time than opening a file.
    private let watches = Mutex<[Place]>([])
    // In milliseconds. A write comes before its commit, so the first look often comes too early.
    private static let shortestPause = 2
    private static let longestPause = 20
    // Both only on the queue.
    private var pause = CommitWatcher.shortestPause
    private var listensSince = DispatchTime.now()

    private init() throws(LMDBError) {
        // For the queue of events, and for what Dispatch opens: it ends the process if it cannot.
        try FileEvents.checkRoom(5)
        events = try FileEvents()
        source = DispatchSource.makeReadSource(
            fileDescriptor: events.descriptor, queue: queue)
        source.setEventHandler { [unowned self] in handleEvents() }
        source.activate()
        // Now, while there is room for the descriptor of Dispatch's timers.
        queue.asyncAfter(deadline: .now()) {}
    }

    /// - Throws: ``LMDBError`` where the system has no room for a queue of events.
    static func requireShared() throws(LMDBError) -> CommitWatcher {
        try made.withLock { made throws(LMDBError) in
            if let made { return made }
            let new = try CommitWatcher()
            made = new
            return new
        }
    }

    func add(_ watch: CommitWatch, _ path: String) throws(LMDBError) {
        try watches.withLock { watches throws(LMDBError) in
            let number = try events.add(path)
            watch.fileNumber.store(number, ordering: .relaxed)
            watches.append(Place(file: number, identity: ObjectIdentifier(watch), watch: watch))
        }
    }

    /// Forgets a watch, and the file with its last one.
    func remove(_ watch: CommitWatch) {
        let number = watch.fileNumber.load(ordering: .relaxed)
        watches.withLock { watches in
            // Not loaded here: the last reference to another watch must not end under the lock.
            let identity = ObjectIdentifier(watch)
            guard let index = watches.firstIndex(where: { $0.identity == identity }) else { return }
            watches.remove(at: index)
            if !watches.contains(where: { $0.file == number }) { events.remove(number) }
        }
    }

    /// Looks once more, for a store whose own transaction was in the way.
    func lookAgain() {
        queue.async { [self] in
            for watch in found(in: nil) { _ = watch.look() }
        }
    }

    private func handleEvents() {
        let touched = found(in: events.take())
        guard !touched.isEmpty else { return }
        // All of them look, even if the first one says yes.
        let isAwaited = touched.map { $0.look() }.contains(true)
        let silence = DispatchTime.now().uptimeNanoseconds - listensSince.uptimeNanoseconds
        let isFirst = silence > UInt64(CommitWatcher.longestPause) * 1_000_000
        pause =
            isAwaited || isFirst
            ? CommitWatcher.shortestPause : min(pause * 2, CommitWatcher.longestPause)
        source.suspend()
        queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [self] in
            listensSince = .now()
            source.resume()
        }
    }

    /// The watches of some files; of all without a list.
    private func found(in numbers: Set<Int32>?) -> [CommitWatch] {
        watches.withLock { watches in
            watches.compactMap { numbers?.contains($0.file) == false ? nil : $0.watch }
        }
    }

    /// Lets another process go on.
    static func pause() { usleep(200) }
}
