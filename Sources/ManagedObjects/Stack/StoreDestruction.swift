// SPDX-License-Identifier: Apache-2.0

import Foundation
import Store

/// What becomes of the files of stores that are destroyed.
enum StoreDestruction {
    /// What the names of the files beside a store's own end with.
    static let companions = ["-lock", "-open"]

    /// Refuses a file that is no store of the library's.
    ///
    /// A file that this process has open with other options counts as a store: it may be open like
    /// that while the last context of another coordinator is being released.
    static func check(_ url: URL, type: String) throws {
        do {
            _ = try StoreMetadata.open(url, type: type, isReadOnly: true)
        } catch {
            // Thrown on as it is: as a `CocoaError` one of a store's class would lose its domain.
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? StoreError
            guard cause?.isOpenWithOtherOptions != true,
                cause == nil || !Store.isEmptyFile(at: target(of: url))
            else { return }
            throw error
        }
    }

    /// Puts an empty file in the place of a store, in one step for others.
    ///
    /// Others that have the store open keep its contents.
    static func empty(_ url: URL) throws {
        try replace(url) { fresh in
            try Store.createEmptyFile(at: fresh.path)
        }
    }

    /// Puts a new file in the place of a store, in one step for others.
    ///
    /// It has the permissions of the former one. Others that have the store open keep its contents.
    /// Where anything throws, the store is as it was.
    ///
    /// - Parameters:
    ///   - url: The store, or where one shall be; behind a symbolic link the file that it leads to.
    ///   - make: Makes the new file where it is told.
    ///   - prepare: What has to be done just before.
    static func replace(
        _ url: URL, by make: (URL) throws -> Void, prepare: () throws -> Void = {}
    ) throws {
        let path = target(of: url)
        try refuseOtherThanFile(path, orFolder: false)
        let turn = ReplacementTurn(of: path)
        defer { turn.end() }
        let fresh = turn.newPath()
        defer { for suffix in [""] + companions { try? delete(fresh + suffix) } }
        do { try make(URL(fileURLWithPath: fresh)) } catch let error as StoreError {
            // Nobody knows the name of the new file; what is wrong with another one names that.
            throw CoreDataError.map(error.path == fresh ? error.naming(path) : error)
        }
        var status = stat()
        if stat(path, &status) == 0, chmod(fresh, status.st_mode & 0o777) != 0 {
            throw failure(path)
        }
        try prepare()
        for suffix in companions { try delete(path + suffix) }
        guard rename(fresh, path) == 0 else { throw failure(path) }
        syncFolder(of: path)
    }

    /// Waits until the names in a file's folder are on the disk, where the file system does that.
    private static func syncFolder(of path: String) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Deletes a file with those that belong to it, or the folder of a store of the program's own.
    static func remove(_ url: URL) throws {
        let path = target(of: url)
        try refuseOtherThanFile(path, orFolder: true)
        for suffix in [""] + companions { try delete(path + suffix) }
    }

    /// Deletes a file that was never written to, so that another one can take its place.
    static func removeEmpty(_ url: URL) throws {
        guard Store.isEmptyFile(at: target(of: url)) else { return }
        try remove(url)
    }

    private static func delete(_ path: String) throws {
        do { try FileManager.default.removeItem(atPath: path) } catch let error as CocoaError
            where error.code == .fileNoSuchFile
        {
            // It never was there, or another program was faster.
        }
    }

    /// Refuses a device, a pipe or a socket, which no store was ever in, and a folder, which only
    /// stores of the program's own have.
    private static func refuseOtherThanFile(_ path: String, orFolder: Bool) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        let kind = status.st_mode & S_IFMT
        if kind == S_IFREG || (orFolder && kind == S_IFDIR) { return }
        throw CoreDataError.make(
            .persistentStoreOperation,
            "\(path) is no regular file; choose another path, or move it away",
            [NSFilePathErrorKey: path])
    }

    /// The file itself, where a symbolic link leads to it.
    private static func target(of url: URL) -> String { url.resolvingSymlinksInPath().path }

    private static func failure(_ path: String) -> CocoaError {
        let reason = String(cString: strerror(errno))
        return CoreDataError.make(
            .persistentStoreOperation,
            "\(path) cannot be replaced: \(reason); check the path and its permissions",
            [NSFilePathErrorKey: path])
    }
}
