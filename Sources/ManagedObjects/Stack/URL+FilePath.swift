// SPDX-License-Identifier: Apache-2.0

import Foundation

extension URL {
    /// The path of a file URL, as `path` has it.
    ///
    /// The first `path` of a process makes Foundation search all conformances, which takes longer
    /// than opening a store. Most URLs of files have nothing to decode.
    var filePath: String {
        let text = absoluteString
        let prefix = "file:///"
        guard text.hasPrefix(prefix), text.utf8.count > prefix.utf8.count,
            !text.utf8.contains(where: URL.needsDecoding), text.utf8.last != UInt8(ascii: "/")
        else { return path }
        return String(text.dropFirst(prefix.utf8.count - 1))
    }

    /// The path of a store's file.
    ///
    /// - Throws: 134080 for a URL of something else, whose path would name a file here by chance.
    func storePath() throws -> String {
        guard isFileURL else {
            throw CoreDataError.make(
                .persistentStoreOpen, "a store needs a file URL, not \(absoluteString)")
        }
        return filePath
    }

    /// The same for all paths of a file, also of one that is not there: then its folder alone is
    /// looked for.
    var canonicalPath: String {
        var url = absoluteURL
        // As many links in a row as the system follows.
        for _ in 0..<40 {
            if let found = URL.resolved(url.filePath) { return found }
            let files = FileManager.default
            guard let target = try? files.destinationOfSymbolicLink(atPath: url.filePath) else {
                break
            }
            let folder = url.deletingLastPathComponent()
            url = URL(fileURLWithPath: target, relativeTo: folder).absoluteURL
        }
        let folder = URL.resolved(url.deletingLastPathComponent().path)
        return folder.map { "\($0)/\(url.lastPathComponent)" } ?? url.filePath
    }

    private static func resolved(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    private static func needsDecoding(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: ";"): true
        default: false
        }
    }
}
