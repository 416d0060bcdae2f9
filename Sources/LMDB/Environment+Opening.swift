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
    /// The lock file is the path with `-lock` behind it. Before LMDB maps the file,
    /// its size is checked against its headers, since LMDB would crash on a file that
    /// was cut and quietly replace an empty one. Slots of readers that died are
    /// cleared.
    ///
    /// - Parameters:
    ///   - path: The data file. Symbolic links are followed.
    ///   - options: How to open it.
    /// - Throws: ``LMDBError`` with `truncated`, `foreign`, `versionMismatch`,
    ///   `unsupportedLibrary`, `networkFileSystem`,
    ///   `incompatibleOptions` where it is open with other options,
    ///   `replacedWhileOpen`, or an `errno` value such as `ENOENT` and `EACCES`.
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
        let exists = FileIdentity(path: path) != nil
        if !exists && (errno != ENOENT || !mayCreate(options)) {
            throw LMDBError(.init(rawValue: errno), path: path, during: "Opening the file")
        }
        let place = exists ? path : FileSystem.folder(of: path)
        if !options.allowsNetworkFileSystem && FileSystem.isOnNetwork(place) {
            throw LMDBError(.networkFileSystem, path: path, during: "Opening the file")
        }
        var byteCount = 0
        if exists {
            let file = try DataFile(path: path)
            try file.checkPatiently()
            byteCount = try file.byteCount()
        }
        let wasLeftOpen = exists && !options.isImmutable && WriteMark.asksForCheck(path)
        let handle = try openHandle(path, options, atLeast: byteCount)
        do throws(LMDBError) {
            guard let identity = FileIdentity(path: path) else {
                throw LMDBError(.init(rawValue: errno), path: path, during: "Opening the file")
            }
            return try Environment(
                handle: handle, path: path, options: options, identity: identity,
                wasLeftOpen: wasLeftOpen)
        } catch {
            mdb_env_close(handle)
            throw error
        }
    }

    private static func openHandle(
        _ path: String, _ options: EnvironmentOptions, atLeast byteCount: Int
    ) throws(LMDBError) -> OpaquePointer {
        var handle: OpaquePointer?
        let status = mdb_env_create(&handle)
        guard status == MDB_SUCCESS, let handle else {
            throw LMDBError(.init(rawValue: status), path: path, during: "Opening the file")
        }
        let mapSize = firstMapSize(options, atLeast: byteCount)
        var failure = mdb_env_set_mapsize(handle, mapSize)
        if failure == MDB_SUCCESS {
            failure = mdb_env_set_maxdbs(handle, UInt32(options.maxDatabases))
        }
        if failure == MDB_SUCCESS {
            failure = mdb_env_set_maxreaders(handle, UInt32(options.maxReaders))
        }
        if failure == MDB_SUCCESS {
            failure = mdb_env_open(handle, path, flags(options), 0o644)
        }
        if failure == MDB_SUCCESS && !options.isImmutable {
            var cleared: Int32 = 0
            failure = mdb_reader_check(handle, &cleared)
        }
        guard failure == MDB_SUCCESS else {
            mdb_env_close(handle)
            throw LMDBError(.init(rawValue: failure), path: path, during: "Opening the file")
        }
        return handle
    }

    private static func mayCreate(_ options: EnvironmentOptions) -> Bool {
        options.createsIfMissing && !options.isReadOnly && !options.isImmutable
    }

    private static func flags(_ options: EnvironmentOptions) -> UInt32 {
        var flags = UInt32(MDB_NOSUBDIR) | UInt32(MDB_NOTLS)
        if options.isReadOnly || options.isImmutable { flags |= UInt32(MDB_RDONLY) }
        if options.isImmutable { flags |= UInt32(MDB_NOLOCK) }
        return flags
    }

    /// The size of the first map: the reservation, halved until the system grants it.
    private static func firstMapSize(
        _ options: EnvironmentOptions, atLeast byteCount: Int
    ) -> Int {
        if let size = options.initialMapSizeBytes { return roundedMapSize(max(size, byteCount)) }
        let reserve = (options.dataBudgetBytes ?? 0) / 16
        let wanted = min(options.addressSpaceBytes, options.dataBudgetBytes ?? .max)
        let floor = max(min(wanted, 1 << 30), byteCount)
        var size = max(wanted, byteCount + reserve)
        while size > floor && !FileSystem.canReserve(size) {
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
        while try byteCount() == 0, attempts > 0, FileIdentity(path: path + "-lock") != nil {
            pauseBriefly()
            attempts -= 1
        }
        try check()
    }
}
