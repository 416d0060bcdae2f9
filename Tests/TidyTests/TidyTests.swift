// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

/// Reads all sources of the package and reports what breaks its rules.
@Suite struct TidyTests {
    private static func files() throws -> [SourceFile] {
        let root = packageRoot()
        var paths = ["Package.swift"]
        for folder in ["Sources", "Tests", "Benchmarks"] {
            let url = URL(fileURLWithPath: root).appendingPathComponent(folder)
            guard let walk = FileManager.default.enumerator(atPath: url.path) else { continue }
            while let name = walk.nextObject() as? String {
                // Build products and other people's hidden files are no sources.
                if name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) { continue }
                var isDirectory: ObjCBool = false
                let path = "\(folder)/\(name)"
                if FileManager.default.fileExists(
                    atPath: "\(root)/\(path)", isDirectory: &isDirectory), !isDirectory.boolValue
                {
                    paths.append(path)
                }
            }
        }
        return try paths.sorted().compactMap { path in
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(root)/\(path)"))
            // Files that are no text, as fixtures of old formats, have no lines.
            return String(data: data, encoding: .utf8).map { SourceFile(path: path, text: $0) }
        }
    }

    @Test func sourcesAreTidy() throws {
        let files = try Self.files()
        #expect(files.count > 100)
        let violations = files.filter(Self.isOurs).flatMap(Rules.violations)
        for violation in violations { print(violation) }
        let text = violations.map(\.description).joined(separator: "\n")
        #expect(violations.isEmpty, "\(violations.count) lines are untidy:\n\(text)")
    }

    /// Data of tests and benchmarks follow rules of their own, and models are Xcode's.
    private static func isOurs(_ file: SourceFile) -> Bool {
        guard !file.path.contains(".xcdatamodeld/") else { return false }
        let kinds = [".swift", ".md", ".h", ".modulemap"]
        return file.path.hasPrefix("Sources/") || kinds.contains { file.path.hasSuffix($0) }
    }
}
