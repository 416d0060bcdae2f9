// SPDX-License-Identifier: Apache-2.0

import RecordFormat

/// One field of a record that is ready to be loaded.
struct RecordSlot {
    let record: RecordView
    let position: Int
    let offset: Int

    @inline(__always)
    var isNull: Bool { record.isNull(position) }

    @inline(__always)
    func load<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number {
        record.load(at: offset, as: type)
    }
}
