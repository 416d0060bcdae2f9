// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import Testing

@Suite struct ImportSourceTests {
    @Test func findsTheFilesOfAFolder() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(
                atPath: folder + "/sub.json", withIntermediateDirectories: false)
            let sources = try write(
                [
                    "b.JSON": "[]", "a.csv": "x\n", "c.ndjson": "", "d.tsv": "", "e.jsonl": "",
                    "LICENSE": "", ".hidden.json": "", "f.tar.json": "[]",
                ], to: folder + "/")
            #expect(
                sources == [
                    ImportSource(
                        path: folder + "/a.csv", format: .csv, entityName: "a", byteCount: 2),
                    ImportSource(
                        path: folder + "/b.JSON", format: .json, entityName: "b", byteCount: 2),
                    ImportSource(path: folder + "/c.ndjson", format: .jsonLines, entityName: "c"),
                    ImportSource(path: folder + "/d.tsv", format: .tsv, entityName: "d"),
                    ImportSource(path: folder + "/e.jsonl", format: .jsonLines, entityName: "e"),
                    ImportSource(
                        path: folder + "/f.tar.json", format: .json, entityName: "f.tar",
                        byteCount: 2),
                ])
        }
    }

    @Test func takesAGivenFormat() throws {
        try withFolder { folder in
            try "x;y\n".write(toFile: folder + "/data.txt", atomically: false, encoding: .utf8)
            let path = folder + "/data.txt"
            #expect(
                try ImportSource.discover(at: path, format: .csv)
                    == [ImportSource(path: path, format: .csv, entityName: "data", byteCount: 4)])
            let error = #expect(throws: ImportError.self) { try ImportSource.discover(at: path) }
            #expect(error?.code == .unsupportedFormat)
            #expect(
                error?.message
                    == "nothing to import; files must end in .json, .jsonl, .csv or .tsv, "
                    + "or a format must be given")
            #expect(throws: ImportError.self) { try ImportSource.discover(at: folder) }
        }
    }

    @Test func refusesWhatCannotBeOpened() throws {
        try withFolder { folder in
            let missing = #expect(throws: ImportError.self) {
                try ImportSource.discover(at: folder + "/none.json")
            }
            #expect(missing?.code == .cannotOpen)
            #expect(missing?.message == "no such file or folder; check the path")
            let source = ImportSource(path: folder + "/none.json", format: .json, entityName: "x")
            let open = #expect(throws: ImportError.self) { try source.open(ReaderOptions()) }
            #expect(
                open?.message
                    == "cannot open: No such file or directory; check the path and its permissions")
            let directory = ImportSource(path: folder, format: .json, entityName: "x")
            let read = #expect(throws: ImportError.self) {
                let reader = try directory.open(ReaderOptions())
                var row = RawRow()
                _ = try reader.next(into: &row)
            }
            #expect(read?.code == .cannotOpen)
            #expect(
                read?.message
                    == "cannot read: Is a directory; check the path and its permissions")
        }
    }

    @Test func readsFilesLargerThanAChunk() throws {
        try withFolder { folder in
            let text = "id,name\n" + (0..<40_000).map { "\($0),é\($0)\n" }.joined()
            let sources = try write(["a.csv": text], to: folder)
            let read = try allRows(sources[0].open(ReaderOptions()))
            #expect(read.count == 40_000)
            #expect(read.last?.fields == ["id=t:39999", "name=t:é39999"])
            #expect(read.last?.line == 40_001)
        }
    }
}
