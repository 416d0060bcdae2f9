// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store

/// A file that is built beside a store and takes its place, or is thrown away.
struct StoreFile {
    let url: URL

    /// Names a file in the folder of a store that no other import uses.
    init(besides storeURL: URL) {
        url = storeURL.deletingLastPathComponent().appendingPathComponent(
            ".\(storeURL.lastPathComponent).import-\(UUID().uuidString)")
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

    /// Copies a store while no process writes to it.
    func copy(_ storeURL: URL) throws {
        let store = try Store.open(
            at: storeURL.path, schema: nil, uuid: UUIDValue(high: 0, low: 0))
        // An empty transaction writes nothing, but keeps writers of all processes out.
        try store.write { _ in
            try FileManager.default.copyItem(at: storeURL, to: url)
        }
    }

    /// Writes the file to the disk and gives it the name of a store that must not exist.
    func moveIntoPlace(_ storeURL: URL) throws(ImportError) {
        try sync(url.path, "write the store to the disk")
        // A link, as renaming would replace a store that somebody else has created meanwhile.
        guard link(url.path, storeURL.path) == 0 else {
            throw failure(storeURL.path, "give the store its name")
        }
        try sync(storeURL.deletingLastPathComponent().path, "write the folder to the disk")
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

    /// Removes the file and LMDB's lock file; a name that was given to the file stays.
    func remove() {
        unlink(url.path)
        unlink(url.path + "-lock")
    }
}
