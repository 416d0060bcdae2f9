// SPDX-License-Identifier: Apache-2.0

import LibraryImport
import Testing

@Suite struct JSONMalformedTests {
    @Test(arguments: [
        ("", "1:1: expected an object of entities or an array of rows, found the end of the file"),
        (
            "  \n ",
            "2:2: expected an object of entities or an array of rows, found the end of the file"
        ),
        ("1", "1:1: expected an object of entities or an array of rows, found '1'"),
        ("{", "1:2: expected an entity's name in quotes, found the end of the file"),
        ("{}x", "1:3: expected nothing more after the document, found 'x'"),
        ("[]\n[]", "2:1: expected nothing more after the document, found '['"),
        ("{\"A\" []}", "1:6: expected ':' after the entity's name, found '['"),
        ("{\"A\":[] \"B\":[]}", "1:9: expected ',' or '}', found '\"'"),
        ("{\"A\":[],}", "1:9: expected an entity's name in quotes, found '}'"),
        ("[", "1:2: expected a value, found the end of the file"),
        ("[{}", "1:4: expected ',' or ']', found the end of the file"),
        ("[{},]", "1:5: expected a value, found ']'"),
        ("[{}\n {}]", "2:2: expected ',' or ']', found '{'"),
        ("[{\"a\":1,}]", "1:9: expected a key in quotes, found '}'"),
        ("[{\"a\":1 \"b\":2}]", "1:9: expected ',' or '}', found '\"'"),
        ("[{\"a\" 1}]", "1:7: expected ':' after the key, found '1'"),
        ("[{a:1}]", "1:3: expected a key in quotes, found 'a'"),
        ("[{\"a\":}]", "1:7: expected a value, found '}'"),
        ("[{\"a\":'x'}]", "1:7: expected a value, found '''"),
        ("[{\"a\":tru}]", "1:7: expected the word true"),
        ("[{\"a\":nul", "1:7: expected the word null"),
        ("[{\"a\":falsy}]", "1:7: expected the word false"),
        ("[{\"a\":NaN}]", "1:7: expected a value, found 'N'"),
        ("[{\"a\":+1}]", "1:7: expected a value, found '+'"),
        ("[{\"a\":01}]", "1:8: a number must not start with zeros; quote it as text"),
        ("[{\"a\":-}]", "1:8: expected a digit, found '}'"),
        ("[{\"a\":1.}]", "1:9: expected a digit after the decimal point, found '}'"),
        ("[{\"a\":.5}]", "1:7: expected a value, found '.'"),
        ("[{\"a\":1e}]", "1:9: expected a digit after the exponent's mark, found '}'"),
        ("[{\"a\":1e+}]", "1:10: expected a digit after the exponent's mark, found '}'"),
        ("[{\"a\":1x}]", "1:8: expected ',' or '}', found 'x'"),
        ("[\n{\"a\":\"x", "2:6: the string that starts here is not closed"),
        ("[{\"a\":\"x\ny\"}]", "1:9: byte 0x0A in a string; control characters have to be escaped"),
        ("[{\"a\":\"x\ty\"}]", "1:9: byte 0x09 in a string; control characters have to be escaped"),
        ("[{\"a\":\"\\x\"}]", "1:8: unknown escape in a string"),
        ("[{\"a\":\"\\", "1:8: the file ends within an escape"),
        ("[{\"a\":\"\\u12g4\"}]", "1:8: expected four hexadecimal digits after \\u"),
        ("[{\"a\":\"\\u12", "1:8: expected four hexadecimal digits after \\u"),
        ("[{\"a\":\"\\uD800\"}]", "1:8: a high surrogate without a low one after it"),
        ("[{\"a\":\"\\uD800\\n\"}]", "1:8: a high surrogate without a low one after it"),
        ("[{\"a\":\"\\uD800\\u0041\"}]", "1:8: a high surrogate without a low one after it"),
        ("[{\"a\":\"é\\uDC00\"}]", "1:10: a low surrogate without a high one before it"),
        ("[{\"a\":[1,]}]", "1:10: expected a value, found ']'"),
        ("[{\"a\":[1 2]}]", "1:10: expected ',' or ']', found '2'"),
        ("[{\"a\":{\"b\":1,}}]", "1:14: expected a key in quotes, found '}'"),
        ("[{\"a\":{\"b\" 1}}]", "1:12: expected ':', found '1'"),
        ("[{\"a\":{1:1}}]", "1:8: expected a key in quotes, found '1'"),
        ("[{\"a\":{\"b\":1 2}}]", "1:14: expected ',' or '}', found '2'"),
        (
            "{\"A\": {\"x\": 1}}",
            "1:7: 'A' holds an object or array, expected an array of rows; "
                + "set \"ignore\": true for it in a mapping file to skip it"
        ),
        ("\u{FEFF}[{]", "1:3: expected a key in quotes, found ']'"),
    ])
    func namesLineAndColumn(text: String, expected: String) {
        let error = readError(.json, Array(text.utf8))
        #expect(error?.description == "input:" + expected)
        #expect(error?.code == .malformed)
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC1, 0x81], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80],
            [0xE2, 0x82],
            [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xFF],
        ] as [[UInt8]])
    func refusesInvalidUTF8(bytes: [UInt8]) {
        let text = Array("[\n{\"a\":\"é".utf8) + bytes + Array("\"}]".utf8)
        #expect(
            readError(.json, text)?.description
                == "input:2:9: the text is not UTF-8 here; convert the file to UTF-8")
    }

    @Test func refusesUTF16() {
        let error = readError(.json, [0xFF, 0xFE, 0x5B, 0x00])
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.description == "input:1:1: the file is UTF-16; convert it to UTF-8")
        #expect(readError(.csv, [0xFE, 0xFF])?.code == .unsupportedFormat)
        #expect(readError(.jsonLines, [0xEF, 0xBB, 0x41])?.code == .malformed)
    }

    @Test func boundsDepth() {
        let deep = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        #expect(readError(.json, Array("[{\"a\":\(deep)}]".utf8)) == nil)
        #expect(
            readError(.json, Array("[{\"a\":[\(deep)]}]".utf8))?.description
                == "input:1:135: nested deeper than 128 arrays and objects")
    }

    @Test func boundsRowsFieldsAndSections() {
        var options = ReaderOptions()
        options.maximumRowBytes = 10
        options.maximumFields = 2
        options.maximumSections = 1
        let inputs = [
            "[{\"a\":\"12345678901\"}]", "[{\"a\":\"123456\",\"b\":\"123456\"}]",
            "[{\"a\":12345678901}]", "[{\"a\":1},{\"b\":1},{\"c\":1}]", "{\"A\":[],\"B\":[]}",
            "[{\"a\":[1,2,3,4,5,6,7]}]",
        ]
        #expect(
            inputs.map { readError(.json, Array($0.utf8), options)?.message } == [
                "the row is larger than 10 bytes; raise maximumRowBytes",
                "the row is larger than 10 bytes; raise maximumRowBytes",
                "the row is larger than 10 bytes; raise maximumRowBytes",
                "more than 2 different keys in one section; rows must share their keys",
                "more than 1 sections in one file; split the file",
                "the row is larger than 10 bytes; raise maximumRowBytes",
            ])
    }
}
