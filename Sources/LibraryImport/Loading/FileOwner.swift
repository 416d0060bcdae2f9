// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A lock file that shows that a process is working on the file of the same name without suffix.
///
/// The system releases the lock when the process ends, however it ends. It is a file of its own, as
/// LMDB's locks on its files are lost when any code in the process closes one of them.
struct FileOwner {
    static let suffix = "-owner"

    private let path: String
    private let descriptor: Int32

    /// Becomes the owner of a file that does not exist yet; nil if another process took the lock
    /// first.
    init?(of file: String, storePath: String) throws(ImportError) {
        path = file + FileOwner.suffix
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileOwner.failure(storePath) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            close(descriptor)
            if isTaken { return nil }
            unlink(path)
            throw FileOwner.failure(storePath)
        }
        guard isCurrent else {
            close(descriptor)
            return nil
        }
    }

    /// Takes over a file whose owner has died; nil while it lives.
    init?(abandoned file: String) {
        path = file + FileOwner.suffix
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isCurrent else {
            close(descriptor)
            return nil
        }
    }

    /// Whether the locked file still has its name.
    private var isCurrent: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }

    /// Releases and removes the lock file, once the owned file is gone.
    func end() {
        unlink(path)
        close(descriptor)
    }

    private static func failure(_ storePath: String) -> ImportError {
        ImportError(
            .cannotOpen, file: storePath,
            message: "cannot create a file beside the store: \(String(cString: strerror(errno))); "
                + "check the disk and the folder's permissions")
    }
}
