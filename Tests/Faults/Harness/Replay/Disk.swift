// SPDX-License-Identifier: Apache-2.0

/// What is on a disk for certain, and what the system may have written or not.
///
/// The model is that of *All File Systems Are Not Created Equal* (ALICE, OSDI 2014) with the
/// assumptions of the file format: between two syncs of a file its writes reach the disk in any
/// order, in part or not at all; a sector of 512 bytes is written as a whole or not; names change
/// in their order, and are durable once the folder is synced.
struct Disk {
    static let sector = 512

    struct File {
        var bytes: [UInt8] = []
        var pending: [Change] = []
    }

    enum Change {
        case write(Int, [UInt8])
        case size(Int, growsOnly: Bool)
    }

    enum NameChange {
        case create(String, Int)
        case link(String, String)
        case rename(String, String)
        case unlink(String)
    }

    private(set) var files: [File] = []
    /// The newest file of an inode: numbers are used again.
    private var newest: [UInt64: Int] = [:]
    private(set) var names: [String: Int] = [:]
    private(set) var pendingNames: [NameChange] = []
    private(set) var acknowledged = 0
    private let folder: UInt64

    init(folder: UInt64) { self.folder = folder }

    /// Does what an entry says.
    ///
    /// - Parameter isUnderWay: Whether the call has not returned: a synced write is not durable
    ///   yet.
    mutating func apply(_ entry: WriteLog.Entry, isUnderWay: Bool = false) {
        switch entry {
        case .create(let path, let inode):
            newest[inode] = files.count
            pendingNames.append(.create(path, files.count))
            files.append(File())
        case .write(let inode, let offset, let bytes, let isSynced):
            guard let file = newest[inode] else { return }
            if isSynced, !isUnderWay {
                Disk.write(&files[file].bytes, offset, bytes[...])
            } else {
                files[file].pending.append(.write(offset, bytes))
            }
        case .sync(let inode):
            guard !isUnderWay else { return }
            if inode == folder {
                for change in pendingNames { Disk.apply(change, &names) }
                pendingNames = []
            } else if let file = newest[inode] {
                for change in files[file].pending { Disk.apply(change, &files[file].bytes) }
                files[file].pending = []
            }
        case .size(let inode, let size, let growsOnly):
            guard let file = newest[inode] else { return }
            files[file].pending.append(.size(size, growsOnly: growsOnly))
        case .link(let from, let to): pendingNames.append(.link(from, to))
        case .rename(let from, let to): pendingNames.append(.rename(from, to))
        case .unlink(let path): pendingNames.append(.unlink(path))
        case .note(let step): if !isUnderWay { acknowledged = step }
        }
    }

    static func apply(_ change: Change, _ bytes: inout [UInt8]) {
        switch change {
        case .write(let offset, let new): write(&bytes, offset, new[...])
        case .size(let size, let growsOnly):
            if size > bytes.count {
                bytes += [UInt8](repeating: 0, count: size - bytes.count)
            } else if !growsOnly {
                bytes.removeLast(bytes.count - size)
            }
        }
    }

    static func write(_ bytes: inout [UInt8], _ offset: Int, _ new: ArraySlice<UInt8>) {
        let end = offset + new.count
        if end > bytes.count { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
        bytes.withUnsafeMutableBytes { target in
            new.withUnsafeBytes { source in
                // SAFETY: both are as long as the bytes that are written; the line above made room.
                UnsafeMutableRawBufferPointer(rebasing: target[offset..<end])
                    .copyMemory(from: source)
            }
        }
    }

    static func apply(_ change: NameChange, _ names: inout [String: Int]) {
        switch change {
        case .create(let path, let file): names[path] = file
        case .link(let from, let to): names[to] = names[from]
        case .rename(let from, let to): names[to] = names.removeValue(forKey: from)
        case .unlink(let path): names[path] = nil
        }
    }
}
