// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

@testable import LodeTool

@Suite struct QueryCommandTests {
    @Test func printsTables() throws {
        try withTool { tool throws in
            try tool.makeMusic()
            let result = tool.lode(
                "query", tool.store, "Album", #"artist.name == "AC/DC""#, "--sort", "-title")
            #expect(result.status == 0)
            #expect(
                result.output == """
                    albumId  title              price  released              artist.name
                    -------  -----------------  -----  --------------------  -----------
                          3  Powerage            12.0  1978-05-05T00:00:00Z  AC/DC
                          1  Let There Be Rock    9.5  1977-03-21T00:00:00Z  AC/DC
                    2 rows

                    """)
        }
    }

    @Test func printsCSV() throws {
        try withTool { tool throws in
            try tool.makeMusic()
            let result = tool.lode(
                "query", tool.store, "Album", "--format=csv", "--columns",
                "title,price,artist,playlists")
            #expect(
                result.output == """
                    title,price,artist.name,playlists
                    Let There Be Rock,9.5,AC/DC,1
                    "Balls, ""Wall""\",,Accept,1
                    Powerage,12.0,AC/DC,0

                    """)
        }
    }

    @Test func longTextsAreQuotedAsShortOnesAre() {
        let text = String(repeating: "a\"\t", count: 400_000)
        let value = ValueText.text(text)
        #expect(value.plain == String(repeating: "a\" ", count: 400_000))
        #expect(value.csv == "\"" + String(repeating: "a\"\"\t", count: 400_000) + "\"")
    }

    @Test func printsJSON() throws {
        try withTool { tool throws in
            try tool.makeMusic()
            let result = tool.lode(
                "query", tool.store, "Album", "--format", "json", "--columns",
                "title,price", "--sort", "albumId", "--limit", "2")
            #expect(
                result.output == #"""
                    [
                      {"title": "Let There Be Rock", "price": 9.5},
                      {"title": "Balls, \"Wall\"", "price": null}
                    ]

                    """#)
            let none = tool.lode(
                "query", tool.store, "Album", "albumId > 5", "--format", "json")
            #expect(none.output == "[]\n")
        }
    }

    @Test func limitsAndSkips() throws {
        try withTool { tool throws in
            try tool.makeMusic()
            func titles(_ arguments: String...) -> String {
                let limits = arguments + ["", ""]
                return tool.lode(
                    "query", tool.store, "Album", "--columns", "albumId", "--format", "csv",
                    "--sort", "artist.name,-albumId", "--limit", limits[0], "--offset", limits[1]
                ).output.split(separator: "\n").dropFirst().joined(separator: " ")
            }
            #expect(titles("9", "0") == "3 1 2")
            #expect(titles("2", "0") == "3 1")
            #expect(titles("1", "1") == "1")
            #expect(titles("0", "0") == "")
        }
    }

    @Test func explains() throws {
        try withTool { tool throws in
            try tool.makeMusic()
            let result = tool.lode("query", tool.store, "Album", "albumId == 2", "--explain")
            #expect(result.status == 0)
            #expect(
                result.output == """
                    fetch Album where albumId == 2
                      index range unique(albumId): albumId == 2
                      estimate: reads 1 of 3

                    """)
        }
    }

    @Test(arguments: [
        (["Albums"], "lode: music.lode: there is no entity Albums; the store has Album, Artist, "),
        (["Album", "title =="], "lode: expected an expression but found the end at offset 8 of "),
        (["Album", "titel == 1"], "lode: entity Album has no property titel"),
        (["Album", "--sort", "x"], "lode: entity Album has no property x"),
        (["Album", "--columns", "x"], "lode: x: Album has no property x; it has albumId, "),
        (["Album", "--columns", "title.x"], "lode: title.x: title is an attribute; "),
        (["Album", "--columns", "playlists.name"], "lode: playlists.name: playlists is to-many"),
    ]) func explainsErrors(arguments: [String], start: String) throws {
        try withTool { tool throws in
            try tool.makeMusic()
            var output = ""
            var error = ""
            let status = LodeCommand.run(
                arguments: ["query", tool.store] + arguments, output: ToolOutput { output += $0 },
                error: ToolOutput { error += $0 })
            error = error.replacingOccurrences(of: tool.folder + "/", with: "")
            #expect(status == 1)
            #expect(output == "")
            #expect(error.hasPrefix(start), "\(error)")
        }
    }

    @Test func formatsValues() {
        #expect(ValueText(NSNumber(value: Int32(-5)), .integer32AttributeType) == .number("-5"))
        #expect(ValueText(NSNumber(value: true), .booleanAttributeType).json == "true")
        #expect(ValueText(NSNumber(value: 0.1), .doubleAttributeType).csv == "0.1")
        #expect(ValueText(NSNumber(value: Float(0.1)), .floatAttributeType).csv == "0.1")
        #expect(ValueText(NSNumber(value: Double.infinity), .doubleAttributeType).json == "\"inf\"")
        #expect(ValueText(Data([0, 1, 2]), .binaryDataAttributeType) == .text("AAEC"))
        #expect(ValueText(nil, .stringAttributeType).json == "null")
        #expect(ValueText(nil, .stringAttributeType).csv == "")
        #expect(ValueText("", .stringAttributeType).csv == "\"\"")
        #expect(ValueText("a\r\nb", .stringAttributeType).csv == "\"a\r\nb\"")
        #expect(ValueText("a\r\nb\tc", .stringAttributeType).plain == "a b c")
        #expect(
            ValueText("\u{1}\"\\\n", .stringAttributeType).json == #""\u0001\"\\\n""#)
        #expect(
            ValueText.iso8601(Date(timeIntervalSinceReferenceDate: 0.25))
                == "2001-01-01T00:00:00.250Z")
        #expect(
            ValueText(NSDecimalNumber(string: "12.50"), .decimalAttributeType).json == "12.5")
    }
}
