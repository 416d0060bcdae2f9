// SPDX-License-Identifier: Apache-2.0

import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file's device and inode: its identity, whatever its path.
struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64

    /// The file at a path, through symbolic links; nil with `errno` set where there is none.
    init?(path: String) {
        self.init(asking: AT_FDCWD, path) { stat(path, &$0) }
    }

    /// An open file; nil with `errno` set where the descriptor is none.
    init?(descriptor: Int32) {
        self.init(asking: descriptor, "") { fstat(descriptor, &$0) }
    }

    /// Asks for the identity alone where the system can, as writers do before each commit.
    private init?(asking file: Int32, _ path: String, otherwise: (inout stat) -> Int32) {
        #if os(Linux)
            var (device, inode) = (0 as UInt64, 0 as UInt64)
            let answer = lode_identity(file, path, &device, &inode)
            guard answer >= 0 else { return nil }
            if answer == 0 {
                self.init(device: device, inode: inode)
                return
            }
        #endif
        var status = stat()
        guard otherwise(&status) == 0 else { return nil }
        self.init(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(truncatingIfNeeded: status.st_ino))
    }

    private init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

enum FileSystem {
    /// The kinds that span machines, by the numbers `statfs` reports on Linux:
    /// NFS, SMB, CIFS, SMB2, 9p, FUSE, AFS (two), Ceph, Coda, Lustre, OCFS2, GFS2.
    ///
    /// A list, as the first set of a type costs a process more time than the search.
    private static let networkKinds: [UInt32] = [
        0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x6573_5546, 0x5346_414F,
        0x6B41_4653, 0x00C3_6400, 0x7375_7245, 0x0BD0_0BD0, 0x7461_636F, 0x0116_1970,
    ]

    /// Whether a number that `statfs` reports on Linux is that of a network file system.
    static func isNetworkKind(_ kind: UInt32) -> Bool {
        networkKinds.contains(kind)
    }

    /// Whether a path lies on a network file system.
    static func isOnNetwork(_ path: String) -> Bool {
        var status = statfs()
        guard statfs(path, &status) == 0 else { return false }
        #if canImport(Darwin)
            return status.f_flags & UInt32(MNT_LOCAL) == 0
        #else
            return isNetworkKind(UInt32(truncatingIfNeeded: status.f_type))
        #endif
    }

    /// The path without symbolic links, so that all paths of a file give one lock file.
    ///
    /// The file itself may be missing; its folder may not.
    static func canonicalPath(_ path: String) throws(LMDBError) -> String {
        if let found = resolve(path) { return found }
        var status = stat()
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        var isMissing = errno == ENOENT && !name.isEmpty
        if isMissing, lstat(path, &status) == 0 {
            // Another program has made it in between; a link without a target stays an error.
            if let found = resolve(path) { return found }
            isMissing = false
        }
        guard isMissing, let resolved = resolve(folder) else {
            throw LMDBError(.init(rawValue: errno), path: path, during: "Finding the file")
        }
        return resolved == "/" ? "/\(name)" : "\(resolved)/\(name)"
    }

    private static func resolve(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// The path of the folder that a file is in.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Waits until the names in a folder are on the disk; returns an `errno` value.
    static func syncFolder(_ path: String) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        return fsync(descriptor) == 0 ? 0 : errno
    }

    /// Whether the system would grant a size of address space so many times.
    static func canReserve(_ byteCount: Int, times count: Int) -> Bool {
        let (whole, overflows) = byteCount.multipliedReportingOverflow(by: count)
        return !overflows && canReserve(whole)
    }

    /// Whether the system grants this much address space now.
    static func canReserve(_ byteCount: Int) -> Bool {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        let map = mmap(nil, byteCount, PROT_NONE, Int32(flags), -1, 0)
        guard let map, map != MAP_FAILED else { return false }
        munmap(map, byteCount)
        return true
    }
}
