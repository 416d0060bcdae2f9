// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that gets its name once it is whole, so that nobody ever finds a part of it there.
struct UnfinishedFile {
    /// What to write to.
    let descriptor: Int32
    private let destination: String
    /// The name that it has meanwhile, where the system has no files without one.
    private let interimPath: String?

    /// Begins a file; nil, and `errno` says why, where that fails.
    init?(of destination: String, mode: mode_t) {
        self.destination = destination
        if let nameless = UnfinishedFile.nameless(in: FileSystem.folder(of: destination), mode) {
            (descriptor, interimPath) = (nameless, nil)
            return
        }
        let name = "\(destination)-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        let named = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard named >= 0 else { return nil }
        (descriptor, interimPath) = (named, name)
    }

    /// A file that has no name, and goes with the process; nil where the system has none.
    private static func nameless(in folder: String, _ mode: mode_t) -> Int32? {
        #if canImport(Darwin)
            return nil
        #else
            // `O_TMPFILE`, which is too complex a macro to be imported.
            let flags = 0o20_000_000 | O_DIRECTORY | O_RDWR | O_CLOEXEC
            guard access("/proc/self/fd", X_OK) == 0 else { return nil }
            let descriptor = open(folder, flags, mode)
            return descriptor >= 0 ? descriptor : nil
        #endif
    }

    /// Takes back what was written; false, and `errno` says why, where that fails.
    func empty() -> Bool { ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0 }

    /// Waits until the file is on the disk, and gives it its name, which nobody may have taken.
    ///
    /// - Returns: 0, or an `errno` value.
    func finish() -> Int32 {
        guard fsync(descriptor) == 0, giveName() == 0 else { return errno }
        // Some file systems do not sync folders; without it a power cut may take the name back.
        _ = FileSystem.syncFolder(FileSystem.folder(of: destination))
        return 0
    }

    private func giveName() -> Int32 {
        guard let interimPath else {
            return linkat(
                AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, destination, AT_SYMLINK_FOLLOW)
        }
        // A link, as renaming would replace what another process has created meanwhile.
        if link(interimPath, destination) == 0 { return 0 }
        var status = stat()
        // Some file systems have no links.
        guard errno == EPERM || errno == EOPNOTSUPP, lstat(destination, &status) != 0 else {
            return -1
        }
        return rename(interimPath, destination)
    }

    /// Closes the file; without its name it is gone then.
    func end() {
        if let interimPath { unlink(interimPath) }
        close(descriptor)
    }
}
