// SPDX-License-Identifier: Apache-2.0

import LibraryImport
import Testing

@Suite struct ChunkBoundaryTests {
    static let documents: [(ImportFormat, String)] = [
        (
            .json,
            "\u{FEFF}{ \"Gänre\" : [ {\"Id\": 12345, \"Näme\": \"R\\u00e9\\uD83D\\uDE00 é😀\\n\"},\n"
                + " {\"Id\": -1.25e-3, \"Näme\": null, \"x\": [1, {\"y\": \"\\t\"}]}, false ] ,\n"
                + "\"B\":[{\"Id\":true}]}"
        ),
        (
            .json,
            "[{\"fields\": {\"model\": \"M\", \"a\": [1,2]}, \"model\": \"r.ship\", \"pk\": 2},\n"
                + "{\"model\": \"r.film\", \"pk\": 3, \"fields\": {\"b\": \"ü\"}}]"
        ),
        (.jsonLines, "\u{FEFF}{\"a\":1,\"b\":\"\\\"\"}\r\n\n{\"b\":\"€\",\"a\":22.50}\n"),
        (.csv, "\u{FEFF}id,näme\r\n1,\"a \"\"q\"\" \r\n€\"\r\n\r\n2,\n3\n\"4\",😀"),
    ]

    @Test(arguments: 0..<documents.count, 1...17)
    func chunkSizeDoesNotMatter(document: Int, chunkSize: Int) throws {
        let (format, text) = Self.documents[document]
        #expect(try rows(format, text, chunkSize: chunkSize) == rows(format, text))
    }

    @Test(arguments: 1...17)
    func chunkSizeDoesNotMoveErrors(chunkSize: Int) {
        let inputs: [(ImportFormat, String)] = [
            (.json, "[{\"aé\": \"x\",\n \"b\": 1.}]"), (.json, "[{\"a\": \"x\\uD83D\\n\"}]"),
            (.json, "[{\"abc\": \"é"), (.json, "[{\"abc\": fals}]"), (.csv, "a,b\n\"é\nx\"z,1"),
            (.csv, "a,b\n1,\"unclosed"), (.jsonLines, "{}\n{\"a\":1} x"),
        ]
        var options = ReaderOptions()
        options.chunkSize = chunkSize
        for (format, text) in inputs {
            let whole = readError(format, Array(text.utf8))
            #expect(whole != nil)
            #expect(readError(format, Array(text.utf8), options) == whole)
        }
    }

    @Test func trapsOnAnEmptyChunk() async {
        await #expect(processExitsWith: .failure) {
            _ = ByteStream(ByteInput(bytes: [], file: ""), chunkSize: 0)
        }
    }
}
