// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A new folder for model files, which is removed with the value.
public final class ModelFolder: Sendable {
    /// The folder, without symbolic links.
    public let url: URL

    /// Makes the folder.
    public init() throws {
        url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent("lode-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file with the folders that it is in, and returns its place.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> URL {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file
    }

    /// Writes versions of a model as a bundle, and returns its place.
    ///
    /// - Parameters:
    ///   - name: The bundle's name without extension.
    ///   - versions: What is in `<model>` by the versions' names.
    ///   - current: The current version; nil writes no file that names it.
    @discardableResult
    public func write(
        _ name: String, _ versions: KeyValuePairs<String, String>, current: String? = nil
    ) throws -> URL {
        for (version, content) in versions {
            try write(
                "<model>\n\(content)\n</model>",
                to: "\(name).xcdatamodeld/\(version).xcdatamodel/contents")
        }
        if let current {
            try write(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <plist version="1.0"><dict>
                    <key>_XCCurrentVersionName</key><string>\(current).xcdatamodel</string>
                </dict></plist>
                """, to: "\(name).xcdatamodeld/.xccurrentversion")
        }
        return url.appendingPathComponent("\(name).xcdatamodeld")
    }
}
