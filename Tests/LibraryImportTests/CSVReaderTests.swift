// SPDX-License-Identifier: Apache-2.0

import LibraryImport
import Testing

@Suite struct CSVReaderTests {
    @Test(arguments: ["\n", "\r\n", "\r"])
    func readsRecords(end: String) throws {
        let lines = [
            "id,name,note", "1,Ann,", "", "2,\"Bo, \"\"B\"\"\",\"two\(end)lines\"", "3, é ,\"\"",
        ]
        #expect(
            try rows(.csv, lines.joined(separator: end)) == [
                ReadRow(
                    entity: "Row", line: 2, number: 1,
                    fields: ["id=t:1", "name=t:Ann", "note=null"]),
                ReadRow(
                    entity: "Row", line: 4, number: 2,
                    fields: ["id=t:2", "name=t:Bo, \"B\"", "note=t:two\(end)lines"]),
                ReadRow(
                    entity: "Row", line: 6, number: 3,
                    fields: ["id=t:3", "name=t: é ", "note=empty"]),
            ])
        #expect(try rows(.csv, lines.joined(separator: end) + end).count == 3)
    }

    @Test func readsOtherDelimiters() throws {
        var options = ReaderOptions()
        options.delimiter = 0x3B
        let read = try allRows(reader(.csv, Array("a;b\n1,5;2".utf8), options))
        #expect(read.map(\.fields) == [["a=t:1,5", "b=t:2"]])
        #expect(try rows(.tsv, "a\tb\n1,5\t2").map(\.fields) == [["a=t:1,5", "b=t:2"]])
    }

    @Test func namesColumnsOfEmptyHeaderFields() throws {
        #expect(
            try rows(.csv, "\u{FEFF}a,,\"c d\"\n1,2,3").map(\.fields) == [
                ["a=t:1", "column2=t:2", "c d=t:3"]
            ])
        #expect(try rows(.csv, "a,b\n") == [])
        #expect(try rows(.csv, "a,b") == [])
    }

    @Test func reportsRecordsOfAnotherLength() throws {
        let read = try rows(.csv, "a,b\n1\n1,2\n1,2,3\n,\n")
        #expect(
            read.map(\.problem) == [
                "expected 2 fields, found 1", nil, "expected 2 fields, found 3", nil,
            ])
        #expect(read.map(\.line) == [2, 3, 4, 5])
        #expect(read[3].fields == ["a=null", "b=null"])
    }

    @Test(arguments: [
        ("", "1:1: the file is empty; its first line must name the columns"),
        ("\n\n", "3:1: the file is empty; its first line must name the columns"),
        ("a,b,a\n", "1:1: the header names column 'a' twice; rename one"),
        ("a,b\n1,\"x\n2,3\n", "2:3: the quote that opens here is not closed"),
        (
            "a,b\n1,x\"y\n",
            "2:4: a quote within an unquoted field; quote the field and double the quote"
        ),
        ("a,b\n\"p\nq\",\"x\"y\n", "3:7: 'y' after a closing quote; double quotes within a field"),
        ("a,b\né,\"x\" ,\n", "2:7: byte 0x20 after a closing quote; double quotes within a field"),
    ])
    func namesLineAndColumn(text: String, expected: String) {
        let error = readError(.csv, Array(text.utf8))
        #expect(error?.description == "input:" + expected)
        #expect(error?.code == .malformed)
    }

    @Test func refusesInvalidUTF8() {
        for text in ["a,b\n1,x\u{1}\n", "a,b\n1,\"x\u{1}\n\""] {
            let bytes = Array(text.utf8).map { $0 == 1 ? 0xE9 : $0 }
            let column = text.contains("\"") ? 5 : 4
            #expect(
                readError(.csv, bytes)?.description
                    == "input:2:\(column): the text is not UTF-8 here; convert the file to UTF-8")
        }
    }

    @Test func boundsRowsAndColumns() {
        var options = ReaderOptions()
        options.maximumRowBytes = 4
        options.maximumFields = 2
        #expect(
            readError(.csv, Array("a\n12345".utf8), options)?.message
                == "the row is larger than 4 bytes; close an open quote or raise maximumRowBytes")
        #expect(
            readError(.csv, Array("a,b,c\n".utf8), options)?.message
                == "the header has 3 columns; the most is 2")
    }

    @Test func trapsOnAnImpossibleDelimiter() async {
        await #expect(processExitsWith: .failure) {
            _ = CSVReader(ByteInput(bytes: [], file: ""), entityName: "", delimiter: 0x22)
        }
    }
}
