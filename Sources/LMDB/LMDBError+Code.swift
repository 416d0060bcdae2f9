// SPDX-License-Identifier: Apache-2.0

import CLMDB

extension LMDBError {
    /// The reason of an error, as a number.
    ///
    /// LMDB's own codes keep their values (-30799 to -30780), `errno` values
    /// stay positive, and conditions that only this layer detects count down
    /// from -31001.
    @frozen
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number: LMDB's, the system's, or Lode's.
        public let rawValue: Int32

        /// Wraps a number returned by LMDB or the system.
        @inlinable
        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }
    }
}

/// LMDB's own codes.
extension LMDBError.Code {
    /// The key, or the key with this value, is already there (`MDB_KEYEXIST`).
    public static let keyExists = Self(rawValue: MDB_KEYEXIST)
    /// There is no such entry or database (`MDB_NOTFOUND`).
    public static let notFound = Self(rawValue: MDB_NOTFOUND)
    /// A page that should exist is missing: damage (`MDB_PAGE_NOTFOUND`).
    public static let pageNotFound = Self(rawValue: MDB_PAGE_NOTFOUND)
    /// A page is of the wrong kind: damage (`MDB_CORRUPTED`).
    public static let corrupted = Self(rawValue: MDB_CORRUPTED)
    /// An earlier write error left the environment unusable (`MDB_PANIC`).
    public static let panic = Self(rawValue: MDB_PANIC)
    /// The file was written by another version of LMDB's format (`MDB_VERSION_MISMATCH`).
    public static let versionMismatch = Self(rawValue: MDB_VERSION_MISMATCH)
    /// The file is not an LMDB file (`MDB_INVALID`).
    public static let invalid = Self(rawValue: MDB_INVALID)
    /// The map, or the data budget, is used up (`MDB_MAP_FULL`).
    public static let mapFull = Self(rawValue: MDB_MAP_FULL)
    /// There are more named databases than `maxDatabases` (`MDB_DBS_FULL`).
    public static let databasesFull = Self(rawValue: MDB_DBS_FULL)
    /// There are more readers than `maxReaders` (`MDB_READERS_FULL`).
    public static let readersFull = Self(rawValue: MDB_READERS_FULL)
    /// One transaction changed too many pages (`MDB_TXN_FULL`).
    public static let transactionFull = Self(rawValue: MDB_TXN_FULL)
    /// A tree is deeper than a cursor can follow: damage (`MDB_CURSOR_FULL`).
    public static let cursorFull = Self(rawValue: MDB_CURSOR_FULL)
    /// A page has no room where it should: damage (`MDB_PAGE_FULL`).
    public static let pageFull = Self(rawValue: MDB_PAGE_FULL)
    /// Another process grew the file past this process's map (`MDB_MAP_RESIZED`).
    public static let mapResized = Self(rawValue: MDB_MAP_RESIZED)
    /// The operation does not suit the database's flags (`MDB_INCOMPATIBLE`).
    public static let incompatible = Self(rawValue: MDB_INCOMPATIBLE)
    /// A reader slot was reused wrongly (`MDB_BAD_RSLOT`).
    public static let badReaderSlot = Self(rawValue: MDB_BAD_RSLOT)
    /// The transaction failed earlier, is parked, or has ended (`MDB_BAD_TXN`).
    public static let badTransaction = Self(rawValue: MDB_BAD_TXN)
    /// A key or value has a length that LMDB does not take (`MDB_BAD_VALSIZE`).
    public static let badValueSize = Self(rawValue: MDB_BAD_VALSIZE)
    /// The database handle is not one of this transaction (`MDB_BAD_DBI`).
    public static let badDatabase = Self(rawValue: MDB_BAD_DBI)
}

/// Conditions that only this layer detects.
extension LMDBError.Code {
    /// The file is shorter than its own header says, or empty.
    public static let truncated = Self(rawValue: -31001)
    /// The file is not an LMDB file.
    public static let foreign = Self(rawValue: -31002)
    /// The file is on a network file system.
    public static let networkFileSystem = Self(rawValue: -31003)
    /// The environment was opened before a `fork`, in the parent.
    public static let forked = Self(rawValue: -31004)
    /// The file is open in this process with other options.
    public static let incompatibleOptions = Self(rawValue: -31005)
    /// The map had to move, but a snapshot or a read could not be parked.
    public static let snapshotInUse = Self(rawValue: -31006)
    /// A write was tried in an environment that only reads.
    public static let readOnly = Self(rawValue: -31007)
    /// The file was replaced while an environment had the old one open.
    public static let replacedWhileOpen = Self(rawValue: -31008)
    /// The LMDB library that the program has loaded is of a version that does not fit.
    public static let unsupportedLibrary = Self(rawValue: -31009)
    /// The file was deleted or replaced after the environment had opened it.
    public static let fileIsGone = Self(rawValue: -31010)
    /// There is a pipe, a socket, a device or, beside a data file, a symbolic link in the place of
    /// a file.
    public static let notAFile = Self(rawValue: -31011)
    /// The file with the name of the lock file is no lock file.
    public static let foreignLockFile = Self(rawValue: -31012)
    /// A process writes to the file, whose lock file this process may not write.
    public static let cannotLock = Self(rawValue: -31013)
    /// The file is open elsewhere by another lock file, as it has another name there.
    public static let otherLockFile = Self(rawValue: -31014)
}
