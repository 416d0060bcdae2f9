// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

@Suite struct DamageTests {
    @Test func damagedPagesAreErrors() throws {
        try withTool { tool throws in
            try tool.makeMusic()
            let whole = try Data(contentsOf: URL(fileURLWithPath: tool.store))
            var refused = 0
            for offset in stride(from: 2 * 4_096 + 10, to: whole.count, by: 4_096) {
                var data = whole
                data[offset] ^= 0x03
                try data.write(to: URL(fileURLWithPath: tool.path("flipped")))
                for arguments in [["inspect"], ["query", "Album"]] {
                    let result =
                        arguments.count == 1
                        ? tool.lode(arguments[0], tool.path("flipped"))
                        : tool.lode(arguments[0], tool.path("flipped"), arguments[1])
                    guard result.status != 0 else { continue }
                    #expect(result.status == 1)
                    #expect(result.error.contains("page \(offset / 4_096)"), "\(result.error)")
                    refused += 1
                }
                try FileManager.default.removeItem(atPath: tool.path("flipped"))
            }
            #expect(refused > 10)
        }
    }

    @Test func verifyingComparesChecksums() throws {
        try withTool { tool throws in
            try tool.makeMusic()
            let healthy = tool.lode("inspect", tool.store, "--verify")
            #expect(healthy.status == 0)
            #expect(healthy.output.contains("verified  all pages, checksums, indexes and links"))
            #expect(healthy.output.contains("dangling  no links"))
            var data = try Data(contentsOf: URL(fileURLWithPath: tool.store))
            while let range = data.range(of: Data("Let There Be Rock".utf8)) {
                data[range.lowerBound] = UInt8(ascii: "M")
            }
            try data.write(to: URL(fileURLWithPath: tool.path("changed")))
            let result = tool.lode("inspect", tool.path("changed"), "--verify")
            #expect(result.status == 1)
            #expect(result.error.contains("the record of Album 1 does not match its checksum"))
        }
    }

    @Test func importingNothingIsAnError() throws {
        try withTool { tool throws in
            try tool.write("empty.csv", "a,b\n")
            let result = tool.lode("import", tool.path("empty.csv"), "--into", tool.store)
            #expect(result.status == 1)
            #expect(result.error.contains("there is nothing to import"))
            #expect(try tool.names() == ["empty.csv"])
        }
    }

    @Test(arguments: [
        (
            "a.json", "[\n 1, 2]",
            "a.json:2: there is nothing to import: no row has a value; "
                + "row 1: expected an object, found a number"
        ),
        (
            "b.json", "{\"a\": [[1], [2]]}",
            "b.json:1: there is nothing to import: no row has a "
                + "value; row 1: expected an object, found an object or array"
        ),
        (
            "c.ndjson", "1\n2\n",
            "c.ndjson:1: there is nothing to import: no row has a value; "
                + "row 1: expected an object on the line"
        ),
        ("d.json", "[]", "d.json: there is nothing to import: no row has a value; check the path"),
    ])
    func rowsThatAreNoneAreNamed(name: String, text: String, message: String) throws {
        try withTool { tool throws in
            try tool.write(name, text)
            let result = tool.lode("import", tool.path(name), "--into", tool.store)
            #expect(result.status == 1)
            #expect(result.error.contains(message), "\(result.error)")
            #expect(try tool.names() == [name])
        }
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func textInUTF16IsRefused(encoding: String.Encoding) throws {
        try withTool { tool throws in
            let data = try #require("a,b\n1,2\n".data(using: encoding))
            try data.write(to: URL(fileURLWithPath: tool.path("a.csv")))
            let result = tool.lode("import", tool.path("a.csv"), "--into", tool.store)
            #expect(result.status == 1)
            #expect(result.error.contains("the file is UTF-16; convert it to UTF-8"))
        }
    }
}
