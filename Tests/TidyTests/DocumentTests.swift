// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

@Suite struct DocumentTests {
    private static let paths: Set<String> = {
        var found: Set<String> = ["Package.swift", "README.md", "LICENSE", ".ci/run"]
        for folder in ["Sources", "Tests", "Benchmarks"] {
            let names = FileManager.default.enumerator(atPath: "\(packageRoot())/\(folder)")
            while let name = names?.nextObject() as? String {
                // Build products are no files of the package.
                if name.hasPrefix(".build") { continue }
                found.insert("\(folder)/\(name)")
            }
        }
        return found
    }()

    private static func document(_ path: String) throws -> SourceFile {
        let text = try String(contentsOfFile: "\(packageRoot())/\(path)", encoding: .utf8)
        return SourceFile(path: path, text: text)
    }

    @Test func documentsNameFilesThatExist() throws {
        let documents = Self.paths.filter { $0.hasSuffix(".md") }.sorted()
        #expect(documents.count > 20)
        let violations = try documents.flatMap {
            Documents.violations(in: try Self.document($0), paths: Self.paths)
        }
        let text = violations.map(\.description).joined(separator: "\n")
        #expect(violations.isEmpty, "\(text)")
    }

    @Test func theMapOfManagedObjectsHasItsFolders() throws {
        let map = "Sources/ManagedObjects/ManagedObjects.docc/ManagedObjects.md"
        let listed = Documents.listedFolders(in: try Self.document(map))
        let files = Self.paths.filter { $0.hasSuffix(".swift") }
        let folders = Documents.folders(in: "Sources/ManagedObjects", files)
        #expect(folders.count > 10)
        #expect(
            Set(listed.keys) == folders,
            "the section Folders of \(map) has a line for each folder of the module")
    }

    private func violations(_ text: String) -> [String] {
        let paths: Set = ["Sources/A/B.swift", "Tests/C/D+E.swift", ".ci/run"]
        return Documents.violations(in: SourceFile(path: "F.md", text: text), paths: paths)
            .map { "\($0.line): \($0.text)" }
    }

    @Test func paths() {
        #expect(violations("`Sources/A/B.swift`, Sources/A and [c](Tests/C/D+E.swift).") == [])
        #expect(violations("Look at `.ci/run` in Sources/A/.") == [])
        #expect(violations("a\n`Sources/A/C.swift`") == ["2: Sources/A/C.swift does not exist"])
        #expect(violations("Sources/B.") == ["1: Sources/B does not exist"])
        #expect(violations("`Sources/<Module>`, the sources") == [])
    }

    @Test func names() {
        #expect(violations("`B.swift`, `D+E.swift`, `ls *.swift`, `.swift`") == [])
        #expect(violations("`E.swift`") == ["1: E.swift does not exist"])
        #expect(violations("E.swift") == [])
    }

    @Test func folders() {
        let paths: Set = [
            "S/a.swift", "S/B/c.swift", "S/B/D/e.swift", "S/S.docc/f.swift", "T/g.swift",
        ]
        #expect(Documents.folders(in: "S", paths) == ["B", "B/D"])
        let text = "| folder | what |\n|---|---|\n| `B/` | b |\n| `B/D/` | d |\n| `e` | f |\n"
        let listed = Documents.listedFolders(in: SourceFile(path: "F.md", text: text))
        #expect(listed == ["B": 3, "B/D": 4])
    }
}
