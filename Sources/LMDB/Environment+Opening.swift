// SPDX-License-Identifier: Apache-2.0

import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Environment {
    /// Opens a data file, or returns the environment this process has for it.
    ///
    /// The lock file is the path with `-lock` behind it. Before LMDB maps the file, its size is
    /// checked against its headers, since LMDB would crash on a file that was cut. An empty file is
    /// made a new one where a missing one would be created, and is refused elsewhere. Slots of
    /// readers that died are cleared.
    ///
    /// If this process may read the file but not write its lock file, it reads without locks, see
    /// ``isWithoutLocks``.
    ///
    /// - Parameters:
    ///   - path: The data file. Symbolic links are followed.
    ///   - options: How to open it.
    /// - Throws: ``LMDBError`` with `truncated`, `foreign`, `versionMismatch`,
    ///   `unsupportedLibrary`, `networkFileSystem`,
    ///   `incompatibleOptions` where it is open with other options,
    ///   `replacedWhileOpen`, `notAFile`, `foreignLockFile`, `cannotLock`, `otherLockFile`, or an
    ///   `errno` value such as `ENOENT` and `EACCES`.
    public static func open(
        at path: String, options: EnvironmentOptions = .init()
    ) throws(LMDBError) -> Environment {
        options.validate()
        ForkGuard.install()
        try LibraryVersion.loaded.check(for: path)
        let canonical = try FileSystem.canonicalPath(path)
        return try EnvironmentRegistry.environment(at: canonical, options: options) {
            () throws(LMDBError) in
            try openFile(canonical, options)
        }
    }

    /// Checks and opens a file that this process does not have open.
    private static func openFile(
        _ path: String, _ options: EnvironmentOptions
    ) throws(LMDBError) -> Environment {
        for _ in 0..<1_000 {
            if let environment = try attemptToOpen(path, options) { return environment }
            pauseBriefly()
        }
        throw LMDBError(.replacedWhileOpen, path: path, during: "Opening the file")
    }

    /// Checks and opens a file; nil where its path has got another file meanwhile, or where the
    /// lock file was that of another one.
    private static func attemptToOpen(
        _ path: String, _ options: EnvironmentOptions
    ) throws(LMDBError) -> Environment? {
        let exists = FileIdentity(path: path) != nil
        if !exists && (errno != ENOENT || !mayCreate(options)) {
            throw LMDBError(.init(rawValue: errno), path: path, during: "Opening the file")
        }
        let place = exists ? path : FileSystem.folder(of: path)
        if !options.allowsNetworkFileSystem && FileSystem.isOnNetwork(place) {
            throw LMDBError(.networkFileSystem, path: path, during: "Opening the file")
        }
        let byteCount = exists ? try checkedSize(path, options) : 0
        var hasLocks = !options.isImmutable
        if hasLocks {
            try WriteMark.check(path)
            hasLocks = try LockFile.prepare(for: path, maxReaders: options.maxReaders)
        }
        if byteCount == 0 { try DataFile.makeRoom(path) }
        let wasLeftOpen = exists && !options.isImmutable && WriteMark.asksForCheck(path)
        // Without locks only where nothing else is possible: a writer needs them, and says so.
        let goesWithout = !hasLocks && isForReading(options)
        let handle = try openHandle(path, options, usesLocks: !goesWithout, atLeast: byteCount)
        if !goesWithout, try !claim(handle, path) { return nil }
        return try adopt(handle) { () throws(LMDBError) in
            try Environment(
                handle: handle, path: path, options: options, wasLeftOpen: wasLeftOpen,
                onlyCommit: goesWithout && !options.isImmutable
                    ? try WithoutLocks.begin(handle, path) : nil)
        }
    }

    /// Wraps an open environment of LMDB's, which is closed if that fails.
    static func adopt(
        _ handle: OpaquePointer, _ make: () throws(LMDBError) -> Environment
    ) throws(LMDBError) -> Environment {
        do throws(LMDBError) {
            return try make()
        } catch {
            LockFileUse.closeEnvironment(handle)
            throw error
        }
    }

    /// Says which files an open environment of LMDB's uses; closes it where it must not be used.
    private static func claim(
        _ handle: OpaquePointer, _ path: String
    ) throws(LMDBError) -> Bool {
        var isUsable = false
        defer { if !isUsable { LockFileUse.closeEnvironment(handle) } }
        isUsable = try LockFileUse.begin(handle, path)
        return isUsable
    }

    /// The size of a file that exists, once it is seen to be one that LMDB opens; 0 for one that
    /// holds nothing yet and that a store may be made of.
    private static func checkedSize(
        _ path: String, _ options: EnvironmentOptions
    ) throws(LMDBError) -> Int {
        let file = try DataFile(path: path)
        if try file.byteCount() == 0, mayCreate(options) { return 0 }
        try file.checkPatiently()
        return try file.byteCount()
    }

    /// Opens LMDB's environment.
    ///
    /// - Parameters:
    ///   - usesLocks: Whether there is a lock file.
    ///   - byteCount: The size of the file, which the map has to hold.
    static func openHandle(
        _ path: String, _ options: EnvironmentOptions, usesLocks: Bool, atLeast byteCount: Int
    ) throws(LMDBError) -> OpaquePointer {
        var size = firstMapSize(options, atLeast: byteCount)
        let least = roundedMapSize(max(1 << 30, byteCount))
        var attempts = 200
        let deadline = monotonicMilliseconds() + 500
        while true {
            do throws(LMDBError) {
                return try openHandle(path, options, usesLocks: usesLocks, mapSize: size)
            } catch {
                // The lock file is blank, or empty, if a process ended while it was the first to
                // open the file and this one waited for it. Another attempt may be the first.
                if usesLocks, attempts > 0,
                    [.invalid, .init(rawValue: EINVAL)].contains(error.code)
                {
                    attempts -= 1
                    pauseBriefly()
                    continue
                }
                guard error.code == .init(rawValue: ENOMEM),
                    options.initialMapSizeBytes == nil
                else { throw error }
                if size > least {
                    // Another thread may have taken the room that there was a moment ago.
                    size = max(roundedMapSize(size / 2), least)
                    continue
                }
                // Or another thread reserves all of it for a moment, to see how much there is; the
                // moment is long where more threads run than processors.
                guard monotonicMilliseconds() < deadline else { throw error }
                pauseBriefly()
                size = firstMapSize(options, atLeast: byteCount)
            }
        }
    }

    private static func openHandle(
        _ path: String, _ options: EnvironmentOptions, usesLocks: Bool, mapSize: Int
    ) throws(LMDBError) -> OpaquePointer {
        var handle: OpaquePointer?
        let status = mdb_env_create(&handle)
        guard status == MDB_SUCCESS, let handle else {
            throw LMDBError(.init(rawValue: status), path: path, during: "Opening the file")
        }
        var flags = UInt32(MDB_NOSUBDIR) | UInt32(MDB_NOTLS)
        if isForReading(options) { flags |= UInt32(MDB_RDONLY) }
        if !usesLocks { flags |= UInt32(MDB_NOLOCK) }
        var file: Int32 = -1
        var failure = mdb_env_set_mapsize(handle, mapSize)
        if failure == MDB_SUCCESS {
            failure = mdb_env_set_maxdbs(handle, UInt32(options.maxDatabases))
        }
        if failure == MDB_SUCCESS {
            failure = mdb_env_set_maxreaders(handle, UInt32(options.maxReaders))
        }
        if failure == MDB_SUCCESS { failure = mdb_env_open(handle, path, flags, 0o644) }
        if failure == MDB_SUCCESS { failure = mdb_env_get_fd(handle, &file) }
        if failure == MDB_SUCCESS {
            // LMDB leaves this one descriptor to programs that the process starts.
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
            var cleared: Int32 = 0
            failure = ReaderQueue.during(handle) { mdb_reader_check(handle, &cleared) }
        }
        guard failure == MDB_SUCCESS else {
            mdb_env_close(handle)
            throw LMDBError(.init(rawValue: failure), path: path, during: "Opening the file")
        }
        return handle
    }

    private static func isForReading(_ options: EnvironmentOptions) -> Bool {
        options.isReadOnly || options.isImmutable
    }

    private static func mayCreate(_ options: EnvironmentOptions) -> Bool {
        options.createsIfMissing && !isForReading(options)
    }

    /// The size of the first map: the reservation, halved until there is room for many of it.
    private static func firstMapSize(
        _ options: EnvironmentOptions, atLeast byteCount: Int
    ) -> Int {
        if let size = options.initialMapSizeBytes { return roundedMapSize(max(size, byteCount)) }
        let reserve = (options.dataBudgetBytes ?? 0) / 16
        let wanted = min(options.addressSpaceBytes, options.dataBudgetBytes ?? .max)
        let floor = max(min(wanted, 1 << 30), byteCount)
        var size = max(wanted, byteCount + reserve)
        // With room for others: a process that opens hundreds of files needs memory as well.
        while size > floor && !FileSystem.canReserve(size, times: 16) {
            size = max(size / 2, floor)
        }
        return roundedMapSize(size)
    }

    /// A map size in whole pages, whatever the page size of the file.
    static func roundedMapSize(_ byteCount: Int) -> Int {
        let unit = 65536
        return max(1, (byteCount + unit - 1) / unit) * unit
    }
}

extension DataFile {
    /// Checks the file; gives another process that is just creating it a moment.
    func checkPatiently() throws(LMDBError) {
        var attempts = 200
        while try byteCount() == 0, attempts > 0,
            FileIdentity(path: path + LockFile.suffix) != nil
        {
            pauseBriefly()
            attempts -= 1
        }
        try check()
    }

    /// Makes a missing file, and has the file system keep room for the header of an empty one.
    ///
    /// So a full disk fails here, not half way through the header. The empty file stays then, as
    /// another process may be about to use it.
    static func makeRoom(_ path: String) throws(LMDBError) {
        let descriptor = try PlainFile.open(path, O_RDWR | O_CREAT, allowsLink: false)
        defer { close(descriptor) }
        try FileSystem.reserve(descriptor, path, 2 * 65536)
    }
}
