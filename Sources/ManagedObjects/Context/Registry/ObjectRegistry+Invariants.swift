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
    func violations() -> [String] {
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
}
