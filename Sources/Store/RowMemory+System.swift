// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

extension MemoryBlock: RowMemory {}

extension RowArena {
    /// Makes an arena without rows, in memory of the system.
    ///
    /// - Parameters:
    ///   - layout: The layout of all records.
    ///   - defaults: The values that drafts get back, one for each of their fields.
    package init(layout: RecordLayout, defaults: ContiguousArray<Value>) {
        self.init(layout: layout, defaults: defaults, memory: MemoryBlock.self)
    }
}
