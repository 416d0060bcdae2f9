// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file beside a data file that says that somebody has written to it and not closed it yet.
///
/// It is made with the first write, named like the data file with `-open` behind it, and removed by
/// whoever closes the file last. Every writer holds a shared lock on it, which the system releases
/// when the process ends, however it ends: so a mark that nobody holds was left by a process that
/// was killed or crashed. It is not synced: after a power failure the mark may be gone where the
/// pages are too.
///
/// The locks belong to the open file, as those of `flock` do, but can be asked for without being
/// taken: several who look at a mark at the same time do not take each other for writers.
struct WriteMark {
    static let suffix = "-open"

    private let path: String
    private let descriptor: Int32

    /// Makes or joins the mark of a data file; nil where the folder cannot be written to.
    init?(of dataPath: String) {
        path = dataPath + WriteMark.suffix
        // Somebody else may be removing the mark at this moment.
        for _ in 0..<100 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { return nil }
            var status = stat()
            let isLocked = WriteMark.lock(descriptor, F_RDLCK)
            // Some file systems have no locks.
            let mayTryAgain = isLocked || errno == EAGAIN || errno == EACCES
            if isLocked, fstat(descriptor, &status) == 0, status.st_nlink > 0 {
                self.descriptor = descriptor
                return
            }
            close(descriptor)
            guard mayTryAgain else { return nil }
            pauseBriefly()
        }
        return nil
    }

    /// Lets go of the mark, and removes it unless somebody else holds it.
    func end() {
        if WriteMark.lock(descriptor, F_WRLCK) { unlink(path) }
        close(descriptor)
    }

    /// Whether a data file has a mark that nobody holds.
    static func isAbandoned(_ dataPath: String) -> Bool {
        let descriptor = open(dataPath + suffix, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var request = wholeFile(F_WRLCK)
        return fcntl(descriptor, LockCommand.ask, &request) == 0 && request.l_type == Int16(F_UNLCK)
    }

    /// Takes a lock or changes the one that is held; false with `errno` where others are in the
    /// way.
    private static func lock(_ descriptor: Int32, _ kind: Int32) -> Bool {
        var request = wholeFile(kind)
        return fcntl(descriptor, LockCommand.take, &request) == 0
    }

    private static func wholeFile(_ kind: Int32) -> flock {
        var request = flock()
        request.l_type = Int16(kind)
        request.l_whence = Int16(SEEK_SET)
        return request
    }
}

/// The commands for locks of an open file; the headers show them to programs in GNU's C only.
private enum LockCommand {
    #if canImport(Darwin)
        static let ask: Int32 = 92
        static let take: Int32 = 90
    #else
        static let ask: Int32 = 36
        static let take: Int32 = 37
    #endif
}
