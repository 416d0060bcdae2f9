// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

@testable import LodeTool

@Suite struct ToolTests {
    @Test func inspects() throws {
        try withTool { tool throws in
            try tool.makeMusic()
            let result = tool.lode("inspect", tool.store)
            #expect(result.status == 0)
            var lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
            // Size and identity differ from run to run.
            #expect(lines[1].hasSuffix(" bytes"))
            lines.removeSubrange(1...2)
            let sizes = try #require(lines.firstIndex { $0.hasPrefix("table ") })
            try checkSizes(lines[sizes...].dropLast(), file: tool.store)
            lines = lines[..<sizes] + [""]
            #expect(
                lines.joined(separator: "\n") == """
                    music.lode
                      entities  3
                      objects   6

                    Album  3 objects
                      albumId    integer64
                      title      string
                      price      double        optional
                      released   date
                      artist     -> Artist     inverse albums
                      playlists  ->> Playlist  inverse albums
                      unique     albumId

                    Artist  2 objects
                      artistId  integer64
                      name      string
                      albums    ->> Album  inverse artist
                      unique    artistId

                    Playlist  1 object
                      playlistId  integer64
                      name        string
                      albums      ->> Album   inverse playlists
                      unique      playlistId


                    """)
        }
    }

    /// All but the last two lines are the same whenever the store is made.
    private func checkSizes(_ lines: ArraySlice<Substring>, file: String) throws {
        #expect(
            lines.dropLast(2).joined(separator: "\n") == """
                table                        holds           entries  pages  depth   bytes
                ---------------------------  --------------  -------  -----  -----  ------
                Album                        objects               3      1      1   4,096
                Album.playlists              links                 2      1      1   4,096
                Album.unique(albumId)        index                 3      1      1   4,096
                Artist                       objects               2      1      1   4,096
                Artist.albums                links                 3      1      1   4,096
                Artist.unique(artistId)      index                 2      1      1   4,096
                Playlist                     objects               1      1      1   4,096
                Playlist.albums              links                 2      1      1   4,096
                Playlist.unique(playlistId)  index                 1      1      1   4,096
                blobs                        large values          0      0      0       0
                components                   components            0      0      0       0
                owners                       components            0      0      0       0
                meta                         catalog               6      1      1   4,096
                """)
        let totals = lines.suffix(2).compactMap { line in
            line.split(separator: " ").last.flatMap { Int($0.filter(\.isNumber)) }
        }
        let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        try #require(totals.count == 2)
        #expect(totals[1] == size)
        #expect(totals[0] == totals[1] - 40_960)
    }

    @Test func refusesWhatIsNoStore() throws {
        try withTool { tool throws in
            try tool.makeMusic()
            let whole = try Data(contentsOf: URL(fileURLWithPath: tool.store))
            try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: tool.path("cut")))
            try tool.write("text", String(repeating: "text ", count: 5_000))
            try tool.write("empty", "")
            try newer(whole).write(to: URL(fileURLWithPath: tool.path("newer")))
            let before = try tool.names()
            for name in ["cut", "text", "empty", "newer", "missing", ""] {
                for arguments in [["inspect"], ["query"]] {
                    let result = run(arguments[0], tool.path(name))
                    #expect(result.status == 1, "\(name)")
                    #expect(result.error.hasPrefix("lode: \(tool.folder)"), "\(result.error)")
                }
                // An import takes an empty file for a missing one.
                guard !["missing", "empty", ""].contains(name) else { continue }
                let bytes = try Data(contentsOf: URL(fileURLWithPath: tool.path(name)))
                let result = tool.lode(
                    "import", tool.path("music.json"), "--into", tool.path(name), "--quiet")
                #expect(result.status == 1, "\(name)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: tool.path(name))) == bytes)
            }
            #expect(run("inspect", tool.path("newer")).error.contains("use a newer version"))
            #expect(try tool.names() == before)
        }
    }

    private func run(_ command: String, _ path: String) -> (status: Int32, error: String) {
        var error = ""
        let arguments = command == "query" ? [command, path, "Album"] : [command, path]
        let status = LodeCommand.run(
            arguments: arguments, output: ToolOutput { _ in }, error: ToolOutput { error += $0 })
        return (status, error)
    }

    /// A store whose header asks for a later version of the library.
    private func newer(_ store: Data) -> Data {
        var copy = store
        let magic = Data("LODE".utf8)
        var place = copy.startIndex
        while let range = copy.range(of: magic, in: place..<copy.endIndex) {
            copy.replaceSubrange(range.upperBound..<range.upperBound + 4, with: [99, 0, 99, 0])
            place = range.upperBound
        }
        return copy
    }

    @Test func helps() throws {
        try withTool { tool throws in
            #expect(tool.lode("help").output == HelpCommand.overview + "\n")
            #expect(tool.lode("--help").output == HelpCommand.overview + "\n")
            for name in ["import", "inspect", "query", "demo", "help"] {
                let result = tool.lode("help", name)
                #expect(result.status == 0)
                #expect(result.output.hasPrefix("usage: lode \(name)"))
            }
            #expect(tool.lode("query", "--help").output == tool.lode("help", "query").output)
            #expect(tool.lode("--version").output == "lode 0.1.0\n")
        }
    }

    @Test(arguments: [
        ([], "a command is missing"), (["frob"], "there is no command frob"),
        (["help", "frob"], "there is no command frob"),
        (["import"], "FILE-OR-FOLDER is missing"), (["import", "x"], "--into is missing"),
        (["import", "x", "--into"], "--into needs a value"),
        (["import", "x", "--into", "y", "--into", "z"], "--into is given twice"),
        (["import", "x", "y", "--into", "z"], "there is no use for y"),
        (["import", "x", "--into", "y", "--fast"], "import has no option --fast"),
        (["import", "x", "--into", "y", "-s"], "import has no option -s"),
        (["import", "x", "--into", "y", "--strict=1"], "import has no option --strict"),
        (
            ["import", "x", "--into", "y", "--format", "xml"],
            "--format takes json, jsonl, csv or tsv"
        ),
        (["inspect"], "STORE is missing"), (["query", "x"], "ENTITY is missing"),
        (["query", "x", "y", "--limit", "-1"], "--limit takes a number from 0, not -1"),
        (["query", "x", "y", "--offset", "a"], "--offset takes a number from 0, not a"),
        (["query", "x", "y", "--format", "xml"], "--format takes table, json or csv, not xml"),
        (["demo", "--objects", "0"], "--objects takes a number from 1"),
    ]) func explainsUsage(arguments: [String], message: String) {
        var error = ""
        let status = LodeCommand.run(
            arguments: arguments, output: ToolOutput { _ in }, error: ToolOutput { error += $0 })
        #expect(status == 64)
        #expect(error.hasPrefix("lode: \(message)"), "\(error)")
        #expect(error.contains("\nusage: lode "))
    }

    @Test func parsesArguments() throws {
        let parsed = try ParsedArguments(
            ["a", "--x=1=2", "--", "--y", "-z"], command: "c", options: ["x"], flags: [])
        #expect(parsed.positional == ["a", "--y", "-z"])
        #expect(parsed.value("x") == "1=2")
    }

    @Test func runsTheDemo() throws {
        try withTool { tool throws in
            let result = tool.lode("demo", "--objects", "200")
            #expect(result.status == 0, "\(result.error)")
            #expect(result.output.contains("  Creature: 200 inserted\n"))
            #expect(result.output.contains("  CreatureItem: 100 linked\n"))
            #expect(result.output.contains("  850 rows read, 0 objects changed\n"))
            #expect(result.output.contains("index range by_health: health == 100"))
            #expect(result.output.contains("  360 steps in "))
            #expect(result.output.contains("Making 20 game objects with two components each\n"))
            #expect(result.output.contains("  20 components in "))
            #expect(result.output.contains("  20 objects with "))
        }
    }

    @Test func outputThatCannotBeWrittenFails() {
        var errors = ""
        let status = LodeCommand.run(
            arguments: ["--version"],
            output: ToolOutput { _ in throw CocoaError(.fileWriteOutOfSpace) },
            error: ToolOutput { errors += $0 })
        #expect(status == 1)
        #expect(errors.hasPrefix("lode: the output cannot be written: "))
    }
}
