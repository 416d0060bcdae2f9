// SPDX-License-Identifier: Apache-2.0

import Schema

/// Tells whether a key is among some: most that are not are known by one load.
struct KeyFilter {
    /// Ascending, each once.
    private let keys: ContiguousArray<ObjectKey>
    /// A bit for each hash that a key has; a power of two of words.
    private var bits: [UInt64]

    init(_ keys: ContiguousArray<ObjectKey>) {
        self.keys = keys
        // Eight bits a key, so that one foreign key in eight needs a search.
        let words = max(1, keys.count / 8)
        bits = Array(repeating: 0, count: 1 << (Int.bitWidth - words.leadingZeroBitCount))
        for key in keys {
            let bit = place(of: key)
            bits[bit >> 6] |= 1 << UInt64(bit & 63)
        }
    }

    func contains(_ key: ObjectKey) -> Bool {
        let bit = place(of: key)
        guard bits[bit >> 6] & 1 << UInt64(bit & 63) != 0 else { return false }
        return keys.hasSorted(key)
    }

    private func place(of key: ObjectKey) -> Int {
        let hash = key.rawValue &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: hash >> 20) & (bits.count * 64 - 1)
    }
}
