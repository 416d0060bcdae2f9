// SPDX-License-Identifier: Apache-2.0

import RecordFormat

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension IndexBatch.Entry {
    @inline(__always)
    func bytes(in keys: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: keys[start..<start + count])
    }

    /// Whether the key may stand for several values.
    var isCut: Bool { count == IndexKey.maximumByteCount }
}

/// Orders the entries of a batch by their keys, then by their objects.
///
/// By one word of each key first; only those with equal words are compared.
enum IndexEntryOrder {
    static func sort(
        _ entries: inout ContiguousArray<IndexBatch.Entry>, _ keys: UnsafeRawBufferPointer
    ) {
        guard entries.count > 1 else { return }
        let shared = sharedByteCount(entries, keys)
        for index in entries.indices {
            let start = entries[index].start
            entries[index].word = OrderedBytes.word(
                in: keys, from: start + shared, to: start + entries[index].count)
        }
        RadixOrder.sort(&entries, by: \.word)
        sortRuns(&entries, keys, behind: shared)
    }

    /// Puts entries in order whose words are equal.
    private static func sortRuns(
        _ entries: inout ContiguousArray<IndexBatch.Entry>, _ keys: UnsafeRawBufferPointer,
        behind shared: Int
    ) {
        var start = 0
        while start < entries.count {
            let word = entries[start].word
            var end = start + 1
            // Entries come in the order of their objects: those of equal keys are in order.
            var isSorted = true
            while end < entries.count, entries[end].word == word {
                if precedes(entries[end], entries[end - 1], keys, behind: shared) {
                    isSorted = false
                }
                end += 1
            }
            if !isSorted {
                entries[start..<end].sort { precedes($0, $1, keys, behind: shared) }
            }
            start = end
        }
    }

    /// How many bytes all keys begin with.
    private static func sharedByteCount(
        _ entries: ContiguousArray<IndexBatch.Entry>, _ keys: UnsafeRawBufferPointer
    ) -> Int {
        let first = entries[0]
        var shared = first.count
        func start(of entry: IndexBatch.Entry) -> UInt64 {
            OrderedBytes.word(in: keys, from: entry.start, to: entry.start + min(shared, 8))
        }
        var word = start(of: first)
        for entry in entries {
            if entry.count < shared {
                shared = entry.count
                word = start(of: first)
            }
            let other = start(of: entry)
            if other != word {
                shared = (other ^ word).leadingZeroBitCount / 8
                guard shared > 0 else { break }
                word = start(of: first)
            } else if shared > 8 {
                var index = 8
                while index < shared, keys[entry.start + index] == keys[first.start + index] {
                    index += 1
                }
                shared = index
            }
        }
        return shared
    }

    private static func precedes(
        _ left: IndexBatch.Entry, _ right: IndexBatch.Entry, _ keys: UnsafeRawBufferPointer,
        behind shared: Int
    ) -> Bool {
        let a = left.bytes(in: keys)
        let b = right.bytes(in: keys)
        // Where the words are equal, so are the bytes in them; a key that ends there is the lesser.
        let compared = min(shared + 8, a.count, b.count)
        let rest = min(a.count, b.count) - compared
        if rest > 0, let first = a.baseAddress, let second = b.baseAddress {
            let order = memcmp(first + compared, second + compared, rest)
            if order != 0 { return order < 0 }
        }
        return a.count != b.count ? a.count < b.count : left.object < right.object
    }
}
