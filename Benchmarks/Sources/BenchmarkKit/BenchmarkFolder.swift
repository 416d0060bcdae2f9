// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder for the files of one benchmark run, removed at its end.
public final class BenchmarkFolder: Sendable {
    /// The folder.
    public let url: URL

    /// Makes a folder with a name of its own in a directory.
    public init(in directory: URL) throws {
        url = directory.appendingPathComponent("lode-bench-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // What cannot be removed now goes with the next clean-up of the temporary directory.
        try? FileManager.default.removeItem(at: url)
    }

    /// A path that no file has yet.
    public func makePath() -> String { url.appendingPathComponent(UUID().uuidString).path }

    /// The bytes of a data file and the files that engines keep beside it or in it.
    public func size(_ path: String) -> Int {
        let name = URL(fileURLWithPath: path).lastPathComponent
        var total = 0
        let paths = FileManager.default.enumerator(atPath: url.path)
        while let entry = paths?.nextObject() as? String {
            guard entry.hasPrefix(name),
                paths?.fileAttributes?[.type] as? FileAttributeType
                    == .typeRegular
            else { continue }
            total += (paths?.fileAttributes?[.size] as? NSNumber)?.intValue ?? 0
        }
        return total
    }

    /// Removes a data file and the files that engines keep beside it, and waits for the disk.
    ///
    /// A file system gives the blocks of removed files back when it commits its journal, which
    /// commits of the next measurement would have to wait for otherwise.
    public func remove(_ path: String) {
        let name = URL(fileURLWithPath: path).lastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        for entry in names where entry.hasPrefix(name) {
            // Leftovers go with the folder.
            try? FileManager.default.removeItem(at: url.appendingPathComponent(entry))
        }
        sync()
    }
}
