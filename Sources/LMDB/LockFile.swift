// SPDX-License-Identifier: Apache-2.0

import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file beside a data file in which LMDB keeps its locks and readers, made ready before LMDB
/// opens it.
///
/// LMDB opens it by its name, follows a symbolic link, uses whatever the file holds, and maps it:
/// on a full disk the first use of the map raises a signal. So the file is made here, with its
/// space reserved. A user who can write to the folder may still put a link in its place before LMDB
/// opens it, but could just as well replace the data file.
///
/// Closing any descriptor of the lock file drops all of LMDB's locks of this process: the caller
/// makes sure that no environment of the process uses it.
enum LockFile {
    static let suffix = "-lock"
    // The layers above name the data file alone.
    private static let opening = "Opening the lock file"

    /// Makes the lock file of a data file ready.
    ///
    /// - Returns: False where this process may not write it: LMDB will not either.
    /// - Throws: ``LMDBError`` with `notAFile`, `foreignLockFile`, or an `errno` value: `ENOSPC`
    ///   where the disk has no room for it.
    static func prepare(for dataPath: String, maxReaders: Int) throws(LMDBError) -> Bool {
        let path = dataPath + suffix
        let descriptor: Int32
        do throws(LMDBError) {
            descriptor = try PlainFile.open(
                path, O_RDWR | O_CREAT, allowsLink: false, during: opening)
        } catch {
            guard [EACCES, EPERM, EROFS].contains(error.code.rawValue) else { throw error }
            return false
        }
        defer { close(descriptor) }
        try checkContent(descriptor, path)
        try reserve(descriptor, path, maxReaders)
        return true
    }

    /// Makes an empty lock file in the place of one that was deleted, for the same users.
    ///
    /// What cannot be done is left: LMDB makes one that is not there.
    static func makeAnew(_ path: String, like former: Int32) {
        var status = stat()
        guard fstat(former, &status) == 0 else { return }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        _ = fchmod(descriptor, status.st_mode & 0o777)
        close(descriptor)
    }

    /// Refuses a file with other content, such as one that a hard link puts there.
    private static func checkContent(_ descriptor: Int32, _ path: String) throws(LMDBError) {
        var word: UInt32 = 0
        let count = pread(descriptor, &word, 4, 0)
        guard count > 0 else { return }
        // Zero if a process died between making the file and using it. LMDB marks both its files
        // with one number.
        guard count == 4, word == 0 || word == MetaPage.magic else {
            throw LMDBError(.foreignLockFile, path: path, during: opening)
        }
    }

    /// Has the file system keep room for all of the file, so that no use of the map fails.
    private static func reserve(
        _ descriptor: Int32, _ path: String, _ maxReaders: Int
    ) throws(LMDBError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        // 64 bytes for each reader, and a little more for the locks.
        let needed = max(Int(status.st_size), maxReaders * 64 + 4096)
        guard Int(status.st_blocks) * 512 < needed else { return }
        try FileSystem.reserve(descriptor, path, needed)
    }
}

extension FileSystem {
    /// Has the file system keep room for the first bytes of a file, where it can.
    static func reserve(
        _ descriptor: Int32, _ path: String, _ byteCount: Int
    ) throws(LMDBError) {
        let failure = lode_reserve(descriptor, byteCount)
        guard [ENOSPC, EDQUOT, EIO].contains(failure) else { return }
        throw LMDBError(.init(rawValue: failure), path: path, during: "Making room for the file")
    }
}
