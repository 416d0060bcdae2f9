// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

@testable import LodeTool

@Suite struct ImportCommandTests {
    /// The report without its first line, which has a time.
    private func lines(_ output: String) -> [String] {
        output.split(separator: "\n").map(String.init).filter { !$0.contains(" s") }
    }

    @Test func importsTwice() throws {
        try withTool { tool throws in
            try tool.write("music.json", ToolRun.music)
            let first = tool.lode("import", tool.path("music.json"), "--into", tool.store)
            #expect(first.status == 0)
            #expect(first.output.hasPrefix("4 tables, 8 rows\n\nArtist  2 rows\n"))
            #expect(first.output.contains("\n  Artist: 2 inserted\n  Album: 3 inserted\n"))
            #expect(first.error.contains("reading: 8 rows, "))
            #expect(first.error.contains("importing: 8 rows, "))
            let bytes = try Data(contentsOf: URL(fileURLWithPath: tool.store))
            let second = tool.lode("import", tool.path("music.json"), "--into", tool.store)
            #expect(second.status == 0)
            #expect(second.output.contains("\n  Album: 0 inserted, 3 unchanged\n"))
            #expect(second.output.contains("\n  AlbumPlaylist: 0 linked, 2 unchanged\n"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: tool.store)) == bytes)
            #expect(try tool.names() == ["music.json", "music.lode"])
        }
    }

    @Test func drawsABarOnATerminal() throws {
        try withTool { tool throws in
            var text = "id,x\n"
            for id in 1...5000 { text += "\(id),1\n" }
            try tool.write("a.csv", text)
            let result = tool.lode(
                "import", tool.path("a.csv"), "--into", tool.store, isTerminal: true)
            #expect(result.status == 0)
            #expect(result.error.contains("\rreading [########"))
            #expect(result.error.contains("% 4,096 rows, "))
            #expect(result.error.contains("\rimporting: 5,000 rows, "))
        }
    }

    @Test func isQuiet() throws {
        try withTool { tool throws in
            try tool.write("music.json", ToolRun.music)
            let result = tool.lode(
                "import", "--quiet", tool.path("music.json"), "--into=\(tool.store)")
            #expect(result.status == 0)
            #expect(result.output == "")
            #expect(result.error == "")
        }
    }

    @Test func reportsRejectedRows() throws {
        try withTool { tool throws in
            try tool.write("A.csv", "AId,BId\n1,1\n2,9\n")
            try tool.write("B.csv", "BId,x\n1,1\n")
            let result = tool.lode("import", tool.folder, "--into", tool.store, "--quiet")
            #expect(result.status == 2)
            #expect(
                result.output.hasSuffix(
                    """
                      A: 1 inserted, 1 rejected
                      B: 1 inserted
                    1 rejected row
                      A.csv:3: A row 2: BId 9 leads to no B

                    """))
        }
    }

    @Test func stopsWhenStrict() throws {
        try withTool { tool throws in
            try tool.write("A.csv", "AId,BId\n1,1\n2,9\n")
            try tool.write("B.csv", "BId,x\n1,1\n")
            let result = tool.lode("import", tool.folder, "--into", tool.store, "--strict")
            #expect(result.status == 1)
            #expect(
                result.error.hasSuffix(
                    "lode: A.csv:3: A row 2: BId 9 leads to no B. Nothing was imported: correct "
                        + "the row, or leave out --strict to import what can be imported\n"))
            #expect(try tool.names() == ["A.csv", "B.csv"])
        }
    }

    @Test(arguments: [(";", ";"), ("tab", "\t"), ("|", "|")])
    func takesADelimiter(name: String, text: String) throws {
        try withTool { tool throws in
            try tool.write("a.csv", "id\(text)x\n1\(text)\"a, b\"\n")
            let result = tool.lode(
                "import", tool.path("a.csv"), "--into", tool.store, "--delimiter", name, "--quiet")
            #expect(result.status == 0)
            let found = tool.lode("query", tool.store, "A", "--format", "csv")
            #expect(found.output.contains("1,\"a, b\"\n"))
        }
    }

    @Test(arguments: ["", ";;", "é", "\"", "\n"])
    func refusesOtherDelimiters(text: String) throws {
        try withTool { tool throws in
            try tool.write("a.csv", "id\n1\n")
            let result = tool.lode(
                "import", tool.path("a.csv"), "--into", tool.store, "--delimiter=\(text)")
            #expect(result.status == 64)
            #expect(result.error.contains("--delimiter takes one character of ASCII"))
        }
    }

    @Test func takesAMapping() throws {
        try withTool { tool throws in
            try tool.write("E.csv", "EId,Boss\n1,\n2,1\n")
            try tool.write(
                "map.json",
                #"{"entities": {"E": {"relationships": {"Boss": {"destination": "E"}}}}}"#)
            let result = tool.lode(
                "import", tool.path("E.csv"), "--into", tool.store, "--mapping",
                tool.path("map.json"))
            #expect(result.status == 0)
            #expect(result.output.contains("boss  -> E"))
            #expect(result.error.contains("linking: 2 rows, "))
            try tool.write("map.json", "{")
            let failed = tool.lode(
                "import", tool.path("E.csv"), "--into", tool.path("x.lode"), "--mapping",
                tool.path("map.json"))
            #expect(failed.status == 1)
            #expect(failed.error.hasPrefix("lode: map.json:1:2: "))
        }
    }

    @Test(arguments: [
        ("a.json", "{\"A\": [{\"x\": 1},\n {\"x\" 2}]}", "lode: a.json:2:7: "),
        ("a.csv", "x,y\n1,\"2\n", "lode: a.csv:2:3: "),
        ("a.jsonl", "{\"x\": 1}\n{]\n", "lode: a.jsonl:2:2: "),
        ("a.txt", "x", "lode: a.txt: nothing to import; "),
    ]) func namesThePlaceInMalformedFiles(name: String, text: String, start: String) throws {
        try withTool { tool throws in
            try tool.write(name, text)
            let result = tool.lode("import", tool.path(name), "--into", tool.store, "--quiet")
            #expect(result.status == 1)
            #expect(result.error.hasPrefix(start), "\(result.error)")
            #expect(try tool.names() == [name])
        }
    }

    @Test func needsFilesAndAFolder() throws {
        try withTool { tool throws in
            let missing = tool.lode("import", tool.path("no.json"), "--into", tool.store)
            #expect(missing.status == 1)
            #expect(
                missing.error == "lode: no.json: no such file or folder; check the path\n")
            try tool.write("a.csv", "x\n1\n")
            let nowhere = tool.lode(
                "import", tool.path("a.csv"), "--into", tool.path("no/x.lode"))
            #expect(nowhere.status == 1)
            #expect(nowhere.error.contains("there is no folder no for the store"))
            #expect(try tool.names() == ["a.csv"])
        }
    }

    @Test func refusesAnotherModel() throws {
        try withTool { tool throws in
            try tool.makeMusic()
            try tool.write("Zoo.csv", "ZooId\n1\n")
            let result = tool.lode("import", tool.path("Zoo.csv"), "--into", tool.store)
            #expect(result.status == 1)
            #expect(result.error.contains("lode: music.lode: the data needs entity Zoo, "))
        }
    }

    private static let chinook = packageFolder + "/../shared/data/chinook/ChinookData.json"

    private static var packageFolder: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: chinook)))
    func importsChinook() throws {
        try withTool { tool throws in
            let result = tool.lode("import", Self.chinook, "--into", tool.store)
            #expect(result.status == 0)
            #expect(result.output.hasPrefix("11 tables, 15,607 rows\n"))
            #expect(
                result.output.hasSuffix(
                    """
                      Genre: 25 inserted
                      MediaType: 5 inserted
                      Artist: 275 inserted
                      Album: 347 inserted
                      Track: 3,503 inserted
                      Employee: 8 inserted
                      Customer: 59 inserted
                      Invoice: 412 inserted
                      InvoiceLine: 2,240 inserted
                      Playlist: 18 inserted
                      PlaylistTrack: 8,715 linked

                    """))
            let query = tool.lode(
                "query", tool.store, "Track", #"album.artist.name == "AC/DC""#, "--format", "csv")
            #expect(query.output.split(separator: "\n").count == 19)
        }
    }
}
