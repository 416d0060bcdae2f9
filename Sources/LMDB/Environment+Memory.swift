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
    /// Opens a new environment in memory, which cannot be opened again and ends with its last
    /// reference or with the process.
    ///
    /// Data and locks are in nameless files in memory. LMDB opens files by name, so they have names
    /// for a moment: links in a folder that only this user may enter. If the system has no such
    /// files, ordinary ones are made in that folder, in a file system in memory if there is one,
    /// and are unlinked at once.
    ///
    /// - Throws: ``LMDBError`` with an `errno` value: `EACCES` or `EROFS` where there is no folder
    ///   to write to, such as that of the environment variable `TMPDIR`.
    public static func openInMemory(
        options: EnvironmentOptions = .init()
    ) throws(LMDBError) -> Environment {
        try openInMemory(options: options, mayUseMemoryFiles: true)
    }

    static func openInMemory(
        options: EnvironmentOptions, mayUseMemoryFiles: Bool
    ) throws(LMDBError) -> Environment {
        var options = options
        options.isTemporary = true
        options.validate()
        ForkGuard.install()
        try LibraryVersion.loaded.check(for: memoryLabel)
        return try EnvironmentRegistry.add { () throws(LMDBError) in
            let handle = try openNameless(options, mayUseMemoryFiles)
            return try adopt(handle) { () throws(LMDBError) in
                try Environment(
                    handle: handle, path: memoryLabel, options: options, wasLeftOpen: false,
                    onlyCommit: nil)
            }
        }
    }

    /// The label in place of the path of an environment in memory.
    private static let memoryLabel = "(memory)"

    private static func openNameless(
        _ options: EnvironmentOptions, _ mayUseMemoryFiles: Bool
    ) throws(LMDBError) -> OpaquePointer {
        let folder = try PassingFolder(memoryLabel)
        defer { folder.remove() }
        if mayUseMemoryFiles, let files = MemoryFiles(in: folder) {
            defer { files.close() }
            let handle = try? openHandle(folder.dataPath, options, usesLocks: true, atLeast: 0)
            if let handle { return handle }
            folder.removeFiles()
        }
        return try openHandle(folder.dataPath, options, usesLocks: true, atLeast: 0)
    }
}

/// A data file and a lock file in memory, with links in a folder that lead to them.
private struct MemoryFiles {
    private let descriptors: [Int32]

    /// Nil if the system has no such files, or no paths for open files.
    init?(in folder: PassingFolder) {
        var descriptors: [Int32] = []
        for path in [folder.dataPath, folder.lockPath] {
            let descriptor = lode_memory_file("lode")
            if descriptor >= 0 { descriptors.append(descriptor) }
            let target = "/proc/self/fd/\(descriptor)"
            guard descriptor >= 0, access(target, F_OK) == 0, symlink(target, path) == 0 else {
                for descriptor in descriptors { closeFile(descriptor) }
                folder.removeFiles()
                return nil
            }
        }
        self.descriptors = descriptors
    }

    /// Closes the files here; LMDB has them open by now.
    func close() {
        for descriptor in descriptors { closeFile(descriptor) }
    }
}

/// A folder that exists for a moment, and that only this user may enter.
private struct PassingFolder {
    private let path: String
    var dataPath: String { path + "/data" }
    var lockPath: String { dataPath + LockFile.suffix }

    init(_ label: String) throws(LMDBError) {
        // Memory first, as not every system has files without names.
        let own = getenv("TMPDIR").map { String(cString: $0) }
        for place in ["/dev/shm", own, "/tmp", "/var/tmp"] {
            guard let place, !place.isEmpty else { continue }
            guard let template = strdup(place + "/lode-XXXXXX") else { continue }
            defer { free(template) }
            if mkdtemp(template) != nil {
                path = String(cString: template)
                return
            }
        }
        throw LMDBError(
            .init(rawValue: errno), path: label, during: "Making a folder in TMPDIR or /tmp")
    }

    /// Removes the names of the files; processes that have them open keep them.
    func removeFiles() {
        unlink(dataPath)
        unlink(lockPath)
    }

    func remove() {
        removeFiles()
        rmdir(path)
    }
}

/// The system's function, which has the name of a method above.
private func closeFile(_ descriptor: Int32) { close(descriptor) }
