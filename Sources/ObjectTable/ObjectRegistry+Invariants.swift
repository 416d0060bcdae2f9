// SPDX-License-Identifier: Apache-2.0

import Schema

extension ObjectRegistry {
    /// What is wrong with the tables, in words; empty if all is well.
    ///
    /// - Every block that was used is free or has one prefix, and counts its objects.
    /// - The registry counts the objects of all blocks.
    /// - The places kept for the next look-ups are those of the directory.
    ///
    /// - Complexity: O(blocks).
    package func violations() -> [String] {
        var found = directory.violations()
        let entries = directory.entries
        let busy = Set(entries.map(\.block))
        let free = Set(freeBlocks)
        if free.count != freeBlocks.count { found.append("a free block is listed twice") }
        var total = 0
        for block in allBlocks {
            let (objects, counted) = objectCount(inBlock: block)
            total += objects
            if objects != counted {
                found.append("block \(block) counts \(counted), has \(objects)")
            }
            if busy.contains(block) == free.contains(block) {
                found.append("block \(block) is both free and in use, or neither")
            }
            if free.contains(block), objects > 0 { found.append("free block \(block) has objects") }
        }
        if total != count { found.append("\(total) objects are counted as \(count)") }
        if !busy.union(free).isSubset(of: allBlocks) { found.append("a block is out of range") }
        for (prefix, block) in keptPlaces where directory.block(of: prefix) != block {
            found.append("block \(block) is remembered for prefix \(prefix)")
        }
        return found
    }

    /// The numbers of all blocks that were in use at some time.
    private var allBlocks: Set<Int> {
        var blocks: Set<Int> = []
        for (index, segment) in segments.enumerated() {
            let used = index == segments.count - 1 ? usedBlocks : segment.blockCount
            for block in 0..<used { blocks.insert(index << 9 | block) }
        }
        return blocks
    }

    /// The objects in a block's cells, and the number that it counts.
    private func objectCount(inBlock block: Int) -> (objects: Int, counted: Int) {
        segments[block >> 9].withUnsafeMutablePointerToElements { blocks in
            let cells = (0..<16).count { blocks[block & 511].cells[$0] != nil }
            return (cells, blocks[block & 511].count)
        }
    }

    /// The prefixes with the blocks that look-ups remember.
    private var keptPlaces: [(prefix: UInt64, block: Int)] {
        ([last] + recent.indices.map { recent[$0] })
            .filter { $0.prefix != BlockPlace<Object>.noPrefix }.map { ($0.prefix, $0.block) }
    }
}
