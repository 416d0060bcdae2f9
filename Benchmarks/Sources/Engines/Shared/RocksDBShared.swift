// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// RocksDB with readers in the process that writes, as no other may open the folder.
// Readers share the database, which RocksDB allows, and have buffers and options of their own.
final class RocksDBShared: SharedLibrary, @unchecked Sendable {
    static let engine = SharedEngine(RocksDBLibrary.name, takesProcesses: false) { path in
        let functions = try RocksDBLibrary.functions.get()
        return RocksDBShared(try RocksDBLibrary(path: path, functions))
    }

    private let library: RocksDBLibrary

    private init(_ library: RocksDBLibrary) { self.library = library }

    func makeReader() -> any LibraryReader { Reader(RocksDBLibrary(sharing: library)) }

    func swapYears(_ pairs: ArraySlice<BookPair>) throws {
        for pair in pairs {
            let (first, second) = (UInt64(pair.first + 1), UInt64(pair.second + 1))
            let year = try library.book(first) { PackedBook.year($0) }
            let other = try library.book(second) { PackedBook.year($0) }
            try library.changeYear(of: first) { _ in other }
            try library.changeYear(of: second) { _ in year }
        }
        try library.commit()
    }

    func close() { library.close() }

    private final class Reader: LibraryReader {
        private let library: RocksDBLibrary

        init(_ library: RocksDBLibrary) { self.library = library }

        func look(at pairs: [BookPair], year: Int32) throws -> Look {
            try library.readingSnapshot {
                var look = try Look(at: pairs) { position in
                    try library.book(UInt64(position + 1)) { PackedBook.decode($0) }
                }
                try library.forEach(of: year...year) { look.addOfYear($0) }
                return look
            }
        }

        func close() {}
    }
}
