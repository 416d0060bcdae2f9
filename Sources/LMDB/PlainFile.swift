// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Opens files that have to be regular ones, without waiting for a pipe or triggering a device.
enum PlainFile {
    static let opening = "Opening the file"

    /// Throws if there is something other than a regular file at a path; there may be nothing.
    ///
    /// - Parameters:
    ///   - allowsLink: Whether it may be a symbolic link to one.
    ///   - operation: What an error says was tried.
    static func check(
        _ path: String, allowsLink: Bool, during operation: String = opening
    ) throws(LMDBError) {
        var status = stat()
        guard (allowsLink ? stat(path, &status) : lstat(path, &status)) == 0 else { return }
        try check(status, path, operation)
    }

    /// Opens a file; the descriptor is the caller's to close.
    ///
    /// The path may have changed since it was checked, so the opened file is checked.
    ///
    /// - Throws: ``LMDBError`` with `notAFile`, or an `errno` value: `EISDIR` for a folder.
    static func open(
        _ path: String, _ flags: Int32, allowsLink: Bool, during operation: String = opening
    ) throws(LMDBError) -> Int32 {
        try check(path, allowsLink: allowsLink, during: operation)
        var flags = flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        if !allowsLink { flags |= O_NOFOLLOW }
        let descriptor = systemOpen(path, flags)
        guard descriptor >= 0 else {
            // For a link that must not be followed the system reports the error of a loop of links.
            let isLink = errno == ELOOP && !allowsLink
            throw LMDBError(
                isLink ? .notAFile : .init(rawValue: errno), path: path, during: operation)
        }
        do throws(LMDBError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else {
                throw LMDBError(.init(rawValue: errno), path: path, during: operation)
            }
            try check(status, path, operation)
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func check(
        _ status: stat, _ path: String, _ operation: String
    ) throws(LMDBError) {
        let code: LMDBError.Code
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: code = .init(rawValue: EISDIR)
        default: code = .notAFile
        }
        throw LMDBError(code, path: path, during: operation)
    }
}

extension Environment {
    /// Whether there is a regular file of no bytes at a path, which is as good as none.
    public static func isFileOfNoBytes(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && status.st_size == 0
    }

    /// Makes a file that was never written to: with room for the first commit or, where the disk
    /// has none, of no bytes.
    ///
    /// - Parameter path: Where there is no file yet.
    public static func makeEmptyFile(_ path: String) throws(LMDBError) {
        do throws(LMDBError) { _ = try Environment.open(at: path) } catch {
            guard [ENOSPC, EDQUOT].contains(error.code.rawValue) else { throw error }
            close(try PlainFile.open(path, O_WRONLY | O_CREAT | O_TRUNC, allowsLink: false))
        }
    }
}

/// The system's function, which has the name of a method in places.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o644) }
