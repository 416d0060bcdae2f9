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
enum EntryOrder {
    static func sorted(
        _ entries: [IndexBatch.Entry], _ keys: UnsafeRawBufferPointer
    ) -> [IndexBatch.Entry] {
        guard entries.count > 1 else { return entries }
        var result = entries
        let shared = sharedByteCount(entries, keys)
        for index in result.indices {
            result[index].word = word(of: entries[index].bytes(in: keys), behind: shared)
        }
        result.sort { left, right in
            if left.word != right.word { return left.word < right.word }
            return precedes(left, right, keys, behind: shared)
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

    /// The next bytes as a number, zeros where the key ends: so a word less than another belongs to
    /// the lesser key.
    private static func word(of bytes: UnsafeRawBufferPointer, behind shared: Int) -> UInt64 {
        if bytes.count >= shared + 8 {
            return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: shared, as: UInt64.self))
        }
        var word: UInt64 = 0
        for index in shared..<bytes.count {
            word |= UInt64(bytes[index]) << UInt64(56 - 8 * (index - shared))
        }
        return word
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
