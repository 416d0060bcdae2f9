// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema
import Store

/// A file that is built beside a store and then replaces it or is removed.
struct StoreFile {
    let url: URL
    private let owner: FileOwner

    /// Names a file in the folder of a store that no other import uses.
    init(besides storeURL: URL) throws(ImportError) {
        let folder = storeURL.deletingLastPathComponent()
        while true {
            let name = StoreFile.prefix(of: storeURL) + UUID().uuidString
            let file = folder.appendingPathComponent(name)
            // Removed between its creation and its locking: another import took it for abandoned.
            guard let owner = try FileOwner(of: file.path, storePath: storeURL.path) else {
                continue
            }
            self.owner = owner
            url = file
            UnfinishedFiles.add(file.path)
            return
        }
    }

    private static func prefix(of storeURL: URL) -> String {
        ".\(storeURL.lastPathComponent).import-"
    }

    /// Removes the files of imports into a store whose processes died.
    ///
    /// Files that cannot be removed stay until the next import: they take space, but do no harm.
    static func removeAbandoned(besides storeURL: URL) {
        let folder = storeURL.deletingLastPathComponent()
        let prefix = prefix(of: storeURL)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(prefix) && name.hasSuffix(FileOwner.suffix) {
            let base = name.dropLast(FileOwner.suffix.count)
            // Another store may be named like this one with more behind it.
            guard UUID(uuidString: String(base.dropFirst(prefix.count))) != nil else { continue }
            let path = folder.appendingPathComponent(String(base)).path
            guard let owner = FileOwner(abandoned: path) else { continue }
            removeFiles(path)
            owner.end()
        }
    }

    /// What the name of an empty file ends with that the store replaces.
    private static let emptySuffix = "-empty"

    /// The data file, LMDB's lock file, and the mark of a file that was not closed.
    static func removeFiles(_ path: String, withOwner: Bool = false) {
        for suffix in ["", "-lock", "-open"] { unlink(path + suffix) }
        if withOwner { unlink(path + FileOwner.suffix) }
    }

    /// Throws unless a store can be created in its folder.
    static func checkFolder(of storeURL: URL) throws(ImportError) {
        let folder = storeURL.deletingLastPathComponent().path
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
        guard exists, isFolder.boolValue else {
            throw ImportError(
                .cannotOpen, file: storeURL.path,
                message: "there is no folder \(folder) for the store; create it first")
        }
    }

    /// Whether there is a store where it shall be; an empty file counts as a missing one.
    static func exists(_ storeURL: URL) throws(ImportError) -> Bool {
        var status = stat()
        guard lstat(storeURL.path, &status) == 0, !status.isEmptyFile else { return false }
        if FileManager.default.fileExists(atPath: storeURL.path) { return true }
        throw ImportError(
            .cannotOpen, file: storeURL.path,
            message: "this symbolic link leads to no file; remove it or choose another path")
    }

    /// Copies a store while no process writes to it.
    func copy(_ storeURL: URL) throws {
        var options = StoreOptions()
        // Without it a store with a history only reads; the copying has no place in there.
        if try NSManagedObjectModel.keepsHistory(at: storeURL) {
            options.history = HistoryOptions(processID: "", bundleID: "")
        }
        let store = try Store.open(
            at: storeURL.path, schema: nil, uuid: UUIDValue(high: 0, low: 0), options: options)
        // An empty transaction writes nothing, but keeps writers of all processes out.
        try store.write { _ in
            try FileManager.default.copyItem(at: storeURL, to: url)
        }
    }

    /// Writes the file to the disk and gives it the name of a store that must not exist, except as
    /// an empty file.
    func moveIntoPlace(_ storeURL: URL) throws(ImportError) {
        try sync(url.path, "write the store to the disk")
        removeEmptyFile(storeURL.path)
        // A link, as renaming would replace a store that another process has created meanwhile.
        guard link(url.path, storeURL.path) == 0 else {
            guard errno != EEXIST else { throw StoreFile.existsMeanwhile(storeURL.path) }
            throw failure(storeURL.path, "give the store its name")
        }
        try sync(storeURL.deletingLastPathComponent().path, "write the folder to the disk")
    }

    private static func existsMeanwhile(_ path: String) -> ImportError {
        ImportError(
            .cannotOpen, file: path,
            message: "a file of this name was made during the import, which has changed nothing; "
                + "import again to add to it if it is a store, or choose another name")
    }

    /// Removes a file without bytes.
    ///
    /// It is moved away first: then what another process has made of it meanwhile is seen, and gets
    /// its name back.
    private func removeEmptyFile(_ path: String) {
        var status = stat()
        // Not a link: what it leads to is not this folder's.
        guard lstat(path, &status) == 0, status.isEmptyFile else { return }
        let aside = url.path + StoreFile.emptySuffix
        guard rename(path, aside) == 0 else { return }
        let isEmpty = stat(aside, &status) == 0 && status.isEmptyFile
        if isEmpty || link(aside, path) == 0 { unlink(aside) }
    }

    private func sync(_ path: String, _ purpose: String) throws(ImportError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, purpose) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(path, purpose) }
    }

    private func failure(_ path: String, _ purpose: String) -> ImportError {
        ImportError(
            .cannotOpen, file: path,
            message: "cannot \(purpose): \(String(cString: strerror(errno))); "
                + "check the disk and the folder's permissions")
    }

    /// Removes the file and what belongs to it; another name that was given to the file stays.
    func remove() {
        StoreFile.removeFiles(url.path)
        owner.end()
        UnfinishedFiles.remove(url.path)
    }
}

extension stat {
    /// Whether it is that of a regular file without bytes.
    fileprivate var isEmptyFile: Bool { st_mode & S_IFMT == S_IFREG && st_size == 0 }
}
