// SPDX-License-Identifier: Apache-2.0

import CLMDB
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A map of its own of the file's two header pages.
///
/// It makes the number of the newest commit two loads, and unlike LMDB's map it
/// never moves.
final class MetaPages: @unchecked Sendable {
    // SAFETY: nothing here changes after `init`, and the map lasts until `deinit`. Processes that
    // write change its words meanwhile, so `transactionID(ofPage:)` loads them atomically.
    private let base: UnsafeMutableRawPointer
    private let pageSizeBytes: Int

    /// - Parameters:
    ///   - descriptor: The open file, which need not stay open.
    ///   - path: The path that errors name.
    init(descriptor: Int32, path: String, pageSizeBytes: Int) throws(LMDBError) {
        let map = mmap(nil, 2 * pageSizeBytes, PROT_READ, MAP_SHARED, descriptor, 0)
        guard let map, map != MAP_FAILED else {
            throw LMDBError(.init(rawValue: errno), path: path, during: "Mapping the header")
        }
        base = map
        self.pageSizeBytes = pageSizeBytes
    }

    deinit {
        munmap(base, 2 * pageSizeBytes)
    }

    /// The number of the newest commit of any process.
    var lastTransactionID: UInt64 {
        max(transactionID(ofPage: 0), transactionID(ofPage: 1))
    }

    private func transactionID(ofPage page: Int) -> UInt64 {
        (base + page * pageSizeBytes + MetaPage.transactionIDOffset)
            .assumingMemoryBound(to: Atomic<UInt64>.self).pointee.load(ordering: .acquiring)
    }
}
