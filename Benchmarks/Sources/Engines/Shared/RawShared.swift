// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CRawLMDB

/// Raw LMDB with readers beside a writer.
// Readers use its environment and databases, which LMDB shares, and not its buffer, which is that
// of the one thread that writes.
final class RawShared: SharedLibrary, @unchecked Sendable {
    private let library: RawLibrary

    init(_ library: RawLibrary) { self.library = library }

    func makeReader() -> any LibraryReader { Reader(library) }

    func swapYears(_ pairs: ArraySlice<BookPair>) throws {
        try library.writing { transaction in
            for pair in pairs {
                let (first, second) = (UInt64(pair.first + 1), UInt64(pair.second + 1))
                let year = PackedBook.year(try library.record(first, transaction))
                let other = PackedBook.year(try library.record(second, transaction))
                try library.changeYear(of: first, transaction) { _ in other }
                try library.changeYear(of: second, transaction) { _ in year }
            }
        }
    }

    func close() { library.close() }

    private final class Reader: LibraryReader {
        private let library: RawLibrary

        init(_ library: RawLibrary) { self.library = library }

        func look(at pairs: [BookPair], year: Int32) throws -> Look {
            try library.reading { transaction in
                var look = try Look(at: pairs) { position in
                    PackedBook.decode(try library.record(UInt64(position + 1), transaction))
                }
                try library.forEach(of: year...year, transaction) { look.addOfYear($0) }
                return look
            }
        }

        func close() {}
    }
}
