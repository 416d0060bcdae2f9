// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The names of the files that take the place of others, and what is left of those whose processes
/// were killed before.
///
/// Each replacement holds a shared lock on the folder until it has ended. Whoever gets an exclusive
/// one is alone there: what has such a name then was left behind, and is deleted.
struct ReplacementTurn {
    private let place: URL
    /// What the names of the files begin with.
    private let prefix: String
    /// The folder, with a lock on it; -1 where it cannot be opened.
    private let folder: Int32

    /// Begins the replacement of a file, and deletes what earlier ones have left.
    init(of path: String) {
        let url = URL(fileURLWithPath: path)
        place = url.deletingLastPathComponent()
        prefix = ".\(url.lastPathComponent).new-"
        folder = open(place.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        if flock(folder, LOCK_EX | LOCK_NB) == 0 { deleteLeftovers() }
        // Others hold an exclusive lock for as long as they delete. Without a lock, one of those
        // may delete the new file, and the replacement throws.
        for _ in 0..<1_000 {
            guard flock(folder, LOCK_SH | LOCK_NB) != 0, [EWOULDBLOCK, EINTR].contains(errno) else {
                return
            }
            usleep(1_000)
        }
    }

    /// A name that no other file has: a hidden one beside the file.
    func newPath() -> String { place.appendingPathComponent(prefix + UUID().uuidString).path }

    /// Lets others delete what is left.
    func end() {
        guard folder >= 0 else { return }
        // A program that this process is starting may have the open folder for a moment more.
        flock(folder, LOCK_UN)
        close(folder)
    }

    /// Whether such a name ends like that of a store's file, or of a copy that was never finished,
    /// see `UnfinishedFile`: with the numbers of a process and of the copy.
    private static func isEnding(_ ending: Substring) -> Bool {
        if ending.isEmpty || StoreDestruction.companions.contains(String(ending)) { return true }
        let numbers = ending.split(separator: "-", omittingEmptySubsequences: false)
        return numbers.count == 3 && numbers[0].isEmpty
            && numbers[1...].allSatisfy {
                UInt64($0) != nil
            }
    }

    private func deleteLeftovers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let rest = name.dropFirst(prefix.count)
            // Another store may be named like this one with more behind it.
            guard UUID(uuidString: String(rest.prefix(36))) != nil,
                ReplacementTurn.isEnding(rest.dropFirst(36))
            else { continue }
            // What cannot be deleted takes space, but does no harm.
            try? FileManager.default.removeItem(at: place.appendingPathComponent(name))
        }
    }
}
