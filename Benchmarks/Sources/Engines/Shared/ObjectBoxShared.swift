// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// ObjectBox with readers in the process that writes, as no other may open the folder.
// Readers share the store, which ObjectBox allows, and have transactions and queries of their own;
// the buffer belongs to the one thread that writes.
final class ObjectBoxShared: SharedLibrary, @unchecked Sendable {
    static let engine = SharedEngine(ObjectBoxLibrary.name, takesProcesses: false) { path in
        ObjectBoxShared(try ObjectBoxLibrary(path: path, ObjectBoxLibrary.functions.get()))
    }

    private let library: ObjectBoxLibrary

    private init(_ library: ObjectBoxLibrary) { self.library = library }

    func makeReader() -> any LibraryReader { Reader(library) }

    func swapYears(_ pairs: ArraySlice<BookPair>) throws {
        try library.writing(ObjectBoxLibrary.book) { cursor in
            for pair in pairs {
                let (first, second) = (UInt64(pair.first + 1), UInt64(pair.second + 1))
                let year = ObjectBoxRecord.year(try library.record(first, cursor))
                let other = ObjectBoxRecord.year(try library.record(second, cursor))
                try library.changeYear(of: first, cursor) { _ in other }
                try library.changeYear(of: second, cursor) { _ in year }
            }
        }
    }

    func close() throws { try library.close() }

    private final class Reader: LibraryReader {
        private let library: ObjectBoxLibrary

        init(_ library: ObjectBoxLibrary) { self.library = library }

        func look(at pairs: [BookPair], year: Int32) throws -> Look {
            try library.reading(ObjectBoxLibrary.book) { cursor, _ in
                var look = try Look(at: pairs) { position in
                    ObjectBoxRecord.decode(try library.record(UInt64(position + 1), cursor))
                }
                try library.forEach(of: year...year, cursor) { look.addOfYear($0) }
                return look
            }
        }

        func close() {}
    }
}
