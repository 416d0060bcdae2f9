// SPDX-License-Identifier: Apache-2.0

import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension LMDBError.Code {
    /// What the code means, without a full stop.
    var explanation: String {
        switch self {
        case .truncated: "the file is shorter than its header says"
        case .foreign: "this is not an LMDB file"
        case .networkFileSystem:
            "the file is on a network file system, where LMDB's locks do not work"
        case .forked: "the environment was opened by the parent process before fork()"
        case .incompatibleOptions: "the file is already open in this process with other options"
        case .snapshotInUse: "the map has to move, but a read transaction could not be parked"
        case .readOnly: "the environment is open for reading only"
        case .unsupportedLibrary: "the LMDB library is of a version that does not fit"
        case .fileIsGone: "the file was deleted or replaced while it was open"
        case .replacedWhileOpen: "another file that had this path is still open"
        case .notAFile: "this is no regular file"
        case .foreignLockFile: "this file is no lock file of LMDB"
        case .cannotLock:
            "the lock file cannot be written, and another process writes to the data file"
        case .otherLockFile:
            "a process has it open by another lock file: the file has another name there, or its "
                + "lock file was deleted"
        default: String(cString: mdb_strerror(rawValue))
        }
    }

    /// What to do about it: one or two full sentences.
    var advice: String {
        if self == .mapFull || self == .transactionFull || self == .readersFull {
            return adviceAboutLimits
        }
        return switch self {
        case .keyExists: "Replace the entry instead, or append keys in strictly rising order."
        case .notFound: "Create it first, or treat it as absent."
        case .pageNotFound, .corrupted, .cursorFull, .pageFull:
            "The file is damaged. Restore a backup, or rebuild it from an export."
        case .panic: "Close every use of this file and open it again."
        case .versionMismatch: "Open it with the LMDB release that wrote it and export the data."
        case .invalid, .foreign: "Check the path; move the file away to start a new one."
        case .databasesFull: "Raise EnvironmentOptions.maxDatabases."
        case .mapResized: "End the snapshots of this process, then try again."
        case .incompatible: "Open the database with the flags it was created with."
        case .badTransaction:
            "Renew the snapshot, or abandon this write transaction after its first error."
        case .badValueSize:
            "Keys take 1 to 511 bytes, and so do values of a dupSort database (0 to 511)."
        case .badDatabase: "Open the database first, then begin or renew the transaction."
        default: adviceAboutOpening
        }
    }

    private var adviceAboutLimits: String {
        switch self {
        case .mapFull: "Delete data, end old snapshots, or raise the limit of the file's size."
        case .transactionFull: "Split the change into several write transactions."
        default: "End unused snapshots, or raise EnvironmentOptions.maxReaders."
        }
    }

    private var adviceAboutOpening: String {
        switch self {
        case .truncated: "Restore a backup; or delete the file if its content is not needed."
        case .networkFileSystem:
            "Move it to a local disk; or set allowsNetworkFileSystem if one process alone uses it."
        case .forked: "Open the file again in the child process."
        case .incompatibleOptions: "Use the same options, or end the other use of the file first."
        case .snapshotInUse: "End or park long reads, then repeat the write; nothing was lost."
        case .readOnly: "Open it without isReadOnly and isImmutable to write."
        case .unsupportedLibrary:
            "Run it with LMDB 0.9, from 0.9.24 on: the package liblmdb0 of Debian and Ubuntu."
        case .fileIsGone: "Nothing was written. Close every use of the file and open it again."
        case .replacedWhileOpen: "End every use of the old file before opening the new one."
        case .notAFile: "Move it away, or choose another path."
        case .foreignLockFile: "Move it away, or choose another path for the data file."
        case .cannotLock:
            "Open it again when they have closed it, or get write permission for the lock file."
        case .otherLockFile:
            "Open it by the same name everywhere; or again when the other process has closed it."
        case Self(rawValue: ENOSPC), Self(rawValue: EDQUOT):
            "Free some disk space, then repeat the write."
        case Self(rawValue: EACCES), Self(rawValue: EROFS), Self(rawValue: EPERM):
            "Check the permissions of the file, its lock file and its folder. To read a file that "
                + "cannot be written, open it with isReadOnly."
        case Self(rawValue: ENOENT): "Check the path; its folder has to exist."
        case Self(rawValue: EISDIR): "This is a folder: name a file in it, or move it away."
        case Self(rawValue: EMFILE), Self(rawValue: ENFILE):
            "Close other files, or raise the limit of open files (ulimit -n)."
        case Self(rawValue: ENOMEM):
            "Free memory, raise the limit of address space (ulimit -v), or lower "
                + "EnvironmentOptions.addressSpaceBytes."
        case Self(rawValue: EINVAL):
            "Position the cursor first, or use handles of this environment."
        case Self(rawValue: EIO):
            "Free some disk space if it is full, or raise the limit of file sizes (ulimit -f); "
                + "else check the disk, then the file."
        default: "Correct the cause and try again."
        }
    }
}
