// SPDX-License-Identifier: Apache-2.0

import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Records whether the file was closed properly, for its next user.
extension Environment {
    /// Whether pages may be missing: the machine went down while a process wrote to the file
    /// without syncs.
    ///
    /// False once ``verifyPages()`` has found nothing wrong. A process that dies leaves an intact
    /// file, and so does a power failure during writes with syncs.
    public var wasLeftOpen: Bool { isLeftOpen.load(ordering: .relaxed) }

    /// Marks the file as being written to with the present durability, unless it is already.
    ///
    /// Called with `writeLock` held.
    func markAsOpen() {
        let wanted = currentDurability
        if let markedDurability, markedDurability.weakness >= wanted.weakness { return }
        if !options.isTemporary {
            if markedDurability == nil { mark = WriteMark(of: path) }
            mark?.note(wanted, joinsUnchecked: wasLeftOpen)
            keepForReadersWithoutLocks()
        }
        markedDurability = wanted
        ExitHandler.install()
    }

    /// Takes the mark away, as no write is under way and none will begin.
    func removeMark() {
        // If a user wrote to the file without checking it, the next user still has to check.
        mark?.end(isWanted: wasLeftOpen)
        mark = nil
    }

    /// Syncs commits that have not been synced yet, before the mark is removed.
    ///
    /// Where that fails the mark stays, and the file is checked if the machine goes down.
    func syncBeforeClosing() {
        guard mark != nil, unsynced.load(ordering: .relaxed) != 0 else { return }
        if mdb_env_sync(handle, 1) == MDB_SUCCESS { return }
        mark?.end(isWanted: true)
        mark = nil
    }

    /// At the end of the process, as its globals are not released.
    ///
    /// Exit handlers that the program has installed before its first write run later. If one
    /// writes, the file keeps a mark, which asks for a check only if the machine goes down before
    /// an unsynced commit reaches the disk.
    func closeAtExit() {
        // A write that is under way will not be finished: then the file is left open.
        guard forkGeneration == ForkGuard.generation, writeLock.tryLock() else { return }
        syncBeforeClosing()
        removeMark()
        markedDurability = nil
        writeLock.unlock()
    }

    /// Forgets that the file was left open, and removes the mark that says so.
    func forgetThatItWasLeftOpen() {
        guard isLeftOpen.exchange(false, ordering: .relaxed) else { return }
        // Read-only users remove it, too, or each of them would check again, as happens if the
        // folder is not writable.
        WriteMark(of: path)?.end()
    }
}

/// Closes the files of a process that ends without releasing them.
private enum ExitHandler {
    static func install() { _ = installed }

    private static let installed: Bool = {
        atexit { EnvironmentRegistry.forEach { $0.closeAtExit() } }
        return true
    }()
}
