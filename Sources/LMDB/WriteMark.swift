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
struct WriteMark {
    static let suffix = "-open"

    private let path: String
    private let descriptor: Int32

    /// Makes or joins the mark of a data file; nil where the folder cannot be written to.
    init?(of dataPath: String) {
        path = dataPath + WriteMark.suffix
        // Somebody else may be looking at the mark, or removing it, at this moment.
        for _ in 0..<100 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { return nil }
            var status = stat()
            let isLocked = flock(descriptor, LOCK_SH | LOCK_NB) == 0
            if isLocked, fstat(descriptor, &status) == 0, status.st_nlink > 0 {
                self.descriptor = descriptor
                return
            }
            // Some file systems have no locks.
            let mayTryAgain = isLocked || errno == EWOULDBLOCK
            close(descriptor)
            guard mayTryAgain else { return nil }
            pauseBriefly()
        }
        return nil
    }

    /// Lets go of the mark, and removes it unless somebody else holds it.
    func end() {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
        close(descriptor)
    }

    /// Whether a data file has a mark that nobody holds.
    static func isAbandoned(_ dataPath: String) -> Bool {
        let descriptor = open(dataPath + suffix, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }
}
