// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

@testable import LibraryImport

/// Sources that are no files, and names that no model takes.
@Suite struct HostileInputTests {
    private func failure(_ path: String, _ directory: String) -> ImportError? {
        do {
            let importer = try LibraryImporter(
                path: path, into: URL(fileURLWithPath: directory + "/library.lode"))
            _ = try importer.load()
            return nil
        } catch {
            return error as? ImportError
        }
    }

    @Test(arguments: ["pipe.csv", "pipe.json", "pipe.jsonl"])
    func aPipeIsRefusedAndNotWaitedFor(name: String) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/" + name
            #expect(mkfifo(path, 0o644) == 0)
            for place in [path, directory] {
                let error = failure(place, directory)
                #expect(error?.code == .cannotOpen && error?.file == path)
                #expect(error?.message.contains("name a regular file") == true)
            }
        }
    }

    @Test func aDeviceIsRefused() throws {
        #expect(throws: ImportError.self) { _ = try ByteInput(path: "/dev/zero") }
    }

    @Test(arguments: [254, 255, 256, 300, 5000])
    func aLongColumnIsAnError(count: Int) throws {
        try withTemporaryDirectory { directory in
            let column = String(repeating: "x", count: count)
            let path = directory + "/Book.csv"
            try "id,\(column)\n1,a\n2,b\n".write(
                toFile: path, atomically: true, encoding: .utf8)
            let error = failure(path, directory)
            if count <= 255 { return #expect(error == nil) }
            #expect(error?.code == .nameTooLong && error?.file == path)
            #expect(error?.message.contains("column 'xxxxx") == true)
            #expect(error?.message.contains("\(count) bytes") == true)
        }
    }

    @Test func aLongKeyAndEntityAreErrors() throws {
        try withTemporaryDirectory { directory in
            let name = String(repeating: "y", count: 300)
            let path = directory + "/data.json"
            for text in [
                #"{"\#(name)": [{"id": 1}, {"id": 2}]}"#,
                #"{"book": [{"\#(name)Id": 1, "a": 2}, {"\#(name)Id": 2, "a": 2}]}"#,
                #"{"book": [{"id": 1, "\#(name)": [1, 2]}]}"#,
            ] {
                try text.write(toFile: path, atomically: true, encoding: .utf8)
                #expect(failure(path, directory)?.code == .nameTooLong)
            }
        }
    }

    /// An inverse is named after the entity, in the plural.
    @Test func aLongInverseIsAnError() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/data.json"
            let first = #"{"id": 1}, {"id": 2}"#
            let second = #"{"id": 1, "authorId": 1, "a": 1}, {"id": 2, "authorId": 2, "a": 2}"#
            for (count, code) in [(254, nil), (255, .nameTooLong)] as [(Int, ImportError.Code?)] {
                let entity = String(repeating: "b", count: count)
                try #"{"author": [\#(first)], "\#(entity)": [\#(second)]}"#
                    .write(toFile: path, atomically: true, encoding: .utf8)
                let error = failure(path, directory)
                #expect(error?.code == code)
                #expect(code == nil || error?.message.contains("the inverse of column") == true)
                unlink(directory + "/library.lode")
            }
        }
    }
}
