// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing
import _TestSupport

/// Stores that say of their entities that they have more or fewer objects than there are.
@Suite struct WrongCountTests {
    static let counts: [UInt64] = [0, 1, 2, 4, 1 << 40, 1 << 63, .max]

    /// A store of three albums, which gives another number of objects of each entity.
    ///
    /// - Parameter isLarge: Whether the file is one of those whose pages are not checked each time.
    private func withStore(
        _ count: UInt64, isLarge: Bool, _ body: (ToolRun) throws -> Void
    ) throws {
        try withTool { tool throws in
            try tool.makeMusic()
            let url = URL(fileURLWithPath: tool.store)
            var bytes = [UInt8](try Data(contentsOf: url))
            var places = 0
            for number in 1...9 {
                places += setEntryCount(of: "o.\(number)", to: count, in: &bytes)
            }
            #expect(places >= 3)
            try Data(bytes).write(to: url)
            if isLarge {
                let file = try FileHandle(forWritingTo: url)
                try file.truncate(atOffset: 64 << 20 + 1)
                try file.close()
            }
            try body(tool)
        }
    }

    @Test(arguments: counts) func smallFilesAreRefused(count: UInt64) throws {
        try withStore(count, isLarge: false) { tool in
            for result in [
                tool.lode("inspect", tool.store), tool.lode("inspect", tool.store, "--verify"),
                tool.lode("query", tool.store, "Album"),
            ] {
                #expect(result.status == 1 && result.output.isEmpty)
                #expect(result.error.contains(" entries instead of \(count)"), "\(result.error)")
            }
        }
    }

    @Test(arguments: counts) func largeFilesAreRead(count: UInt64) throws {
        try withStore(count, isLarge: true) { tool in
            let inspected = tool.lode("inspect", tool.store)
            #expect(inspected.status == 0, "\(inspected.error)")
            if count < 100 {
                #expect(inspected.output.contains("\nAlbum  \(count) object"))
            }
            let all = tool.lode("query", tool.store, "Album", "--columns", "albumId")
            #expect(all.status == 0 && all.output.hasSuffix("3 rows\n"), "\(all.output)")
            let two = tool.lode(
                "query", tool.store, "Album", "--columns", "title", "--limit", "2",
                "--format=csv")
            #expect(two.output == "title\nLet There Be Rock\n\"Balls, \"\"Wall\"\"\"\n")
            let sorted = tool.lode(
                "query", tool.store, "Album", "--columns", "title", "--limit", "1", "--sort",
                "-title", "--format=csv")
            #expect(sorted.output == "title\nPowerage\n")
            let checked = tool.lode("inspect", tool.store, "--verify")
            #expect(checked.status == 1)
            #expect(checked.error.contains(" entries instead of \(count)"), "\(checked.error)")
        }
    }
}
