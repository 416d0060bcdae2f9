// SPDX-License-Identifier: Apache-2.0

extension BlockDirectory {
    /// What is wrong with the table, in words; empty if all is well.
    ///
    /// Each prefix is found, stands once, and has a block of its own; the table has free slots.
    ///
    /// - Complexity: O(slots).
    package func violations() -> [String] {
        var found: [String] = []
        let entries = entries
        var prefixes: Set<UInt64> = []
        var blocks: Set<Int> = []
        for (prefix, block) in entries {
            if !prefixes.insert(prefix).inserted { found.append("prefix \(prefix) stands twice") }
            if !blocks.insert(block).inserted { found.append("block \(block) has two prefixes") }
            if self.block(of: prefix) != block { found.append("prefix \(prefix) is not found") }
        }
        if entries.count != blockCount {
            found.append("\(entries.count) prefixes are counted as \(blockCount)")
        }
        if blockCount * 2 > slotCount { found.append("\(blockCount) of \(slotCount) slots used") }
        return found
    }
}
