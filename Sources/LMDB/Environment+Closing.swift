// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Whether the file was closed properly the last time, and how the next user learns that.
extension Environment {
    /// Whether the last process that wrote to the file has died before it could close it.
    ///
    /// False once ``verifyPages()`` has found nothing wrong. LMDB keeps a file whole when a process
    /// dies; after a power failure during writes without syncs it may be damaged.
    public var wasLeftOpen: Bool { isLeftOpen.load(ordering: .relaxed) }

    /// Marks the file as being written to.
    ///
    /// Called with `writeLock` held.
    func markAsOpen() {
        hasMark = true
        mark = WriteMark(of: path)
        ExitHandler.install()
    }

    /// Takes the mark away, as no write is under way and none will begin.
    func removeMark() {
        mark?.end()
        mark = nil
    }

    /// At the end of the process, as its globals are not released.
    ///
    /// Exit handlers that the program has installed before its first write run later and may
    /// write: that marks the file again, and the next user checks it.
    func closeAtExit() {
        // A write that is under way will not be finished: then the file is left open.
        guard forkGeneration == ForkGuard.generation, writeLock.tryLock() else { return }
        removeMark()
        hasMark = false
        writeLock.unlock()
    }

    /// The mark that says of a file that was left open once is no longer needed.
    func forgetThatItWasLeftOpen() {
        guard isLeftOpen.exchange(false, ordering: .relaxed), !isReadOnly else { return }
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
