// SPDX-License-Identifier: Apache-2.0

import LibraryImport
import Testing

@Suite struct JSONLinesReaderTests {
    @Test func readsAnObjectALine() throws {
        let text = "\u{FEFF}{\"a\":1}\n\n  {\"a\":\"\\n\", \"b\":[1]}\r\n7\n{}"
        #expect(
            try rows(.jsonLines, text) == [
                ReadRow(entity: "Row", line: 1, number: 1, fields: ["a=i:1"]),
                ReadRow(entity: "Row", line: 3, number: 2, fields: ["a=t:\n", "b=j:[1]"]),
                ReadRow(
                    entity: "Row", line: 4, number: 3, fields: [],
                    problem: "expected an object on the line"),
                ReadRow(entity: "Row", line: 5, number: 4, fields: []),
            ])
        #expect(try rows(.jsonLines, "") == [])
    }

    @Test(arguments: [
        ("{\"a\":1} {\"a\":2}", "1:9: expected the end of the line after the object, found '{'"),
        ("{\"a\":1},\n{}", "1:8: expected the end of the line after the object, found ','"),
        ("{}\n{\"a\":\n1}", "2:1: the object that starts here spans lines"),
        (
            "{}\n{\"a\":1\n{\"b\":2}\n",
            "2:1: the object that starts here is not closed on its line"
        ),
        (
            "{\"a\":[1\n2]}", "1:1: the object that starts here is not closed on its line"
        ),
        ("{}\n{\"a\":1", "2:7: expected ',' or '}', found the end of the file"),
        ("{}\n}", "2:1: expected a value, found '}'"),
    ])
    func namesLineAndColumn(text: String, expected: String) {
        #expect(readError(.jsonLines, Array(text.utf8))?.description == "input:" + expected)
    }
}
