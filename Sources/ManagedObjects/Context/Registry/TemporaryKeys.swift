// SPDX-License-Identifier: Apache-2.0

import Schema
import Synchronization

/// Hands out temporary keys; no two of these have one in common.
struct TemporaryKeys {
    // Contexts of any thread take blocks.
    private static let blocks = Atomic<UInt64>(0)

    /// The next row of the block; a new block is taken at each multiple of 65,536.
    private var nextRow: UInt64 = 0

    mutating func next() -> ObjectKey {
        if nextRow & 0xFFFF == 0 {
            let block = TemporaryKeys.blocks.add(1, ordering: .relaxed).oldValue
            nextRow = block << 16 | 1
        }
        defer { nextRow += 1 }
        return ObjectKey(rawValue: ObjectKey.temporaryBit | nextRow)
    }
}
