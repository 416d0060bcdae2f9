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
        UnsafeRawBufferPointer(rebasing: keys[start..<start + Int(count)])
    }

    /// Whether the key may stand for several values.
    var isCut: Bool { count == IndexKey.maximumByteCount }
}

/// Orders the entries of a batch by their keys, then by their objects.
///
/// Most comparisons are those of two words.
enum IndexEntryOrder {
    static func sorted(_ entries: [IndexBatch.Entry], _ keys: [UInt8]) -> [IndexBatch.Entry] {
        guard entries.count > 1 else { return entries }
        var result = entries
        keys.withUnsafeBytes { bytes in
            let shared = sharedByteCount(entries, bytes)
            for index in result.indices {
                let (start, count) = (entries[index].start, Int(entries[index].count))
                result[index].word = OrderedBytes.word(
                    in: keys, from: start + shared, to: start + count)
            }
            result.sort { left, right in
                if left.word != right.word { return left.word < right.word }
                return precedes(left, right, bytes, behind: shared)
            }
        }
        return result
    }

    /// How many bytes all keys begin with.
    private static func sharedByteCount(
        _ entries: [IndexBatch.Entry], _ keys: UnsafeRawBufferPointer
    ) -> Int {
        let first = entries[0].bytes(in: keys)
        var shared = first.count
        for entry in entries {
            let bytes = entry.bytes(in: keys)
            shared = min(shared, bytes.count)
            var index = 0
            while index < shared, bytes[index] == first[index] { index += 1 }
            shared = index
            if shared == 0 { break }
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
