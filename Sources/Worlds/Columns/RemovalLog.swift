// SPDX-License-Identifier: Apache-2.0

/// The values that a column lost lately, with the ticks at which it lost them.
@usableFromInline
struct RemovalLog {
    @usableFromInline let stride: Int
    @usableFromInline var rows: [Int] = []
    @usableFromInline var ticks: [UInt64] = []
    @usableFromInline var values: [UInt8] = []

    init(stride: Int) { self.stride = stride }

    /// Notes that a row has lost its value.
    @usableFromInline
    mutating func append(_ row: Int, _ tick: UInt64, _ value: UnsafeRawPointer) {
        rows.append(row)
        ticks.append(tick)
        values.append(contentsOf: UnsafeRawBufferPointer(start: value, count: stride))
    }

    /// The first note after a tick; notes are in the order of their ticks.
    func firstIndex(after tick: UInt64) -> Int {
        var low = 0
        var high = ticks.count
        while low < high {
            let middle = (low + high) / 2
            if ticks[middle] > tick { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Forgets the notes up to a tick.
    mutating func forget(upTo tick: UInt64) {
        let count = firstIndex(after: tick)
        guard count > 0 else { return }
        rows.removeFirst(count)
        ticks.removeFirst(count)
        values.removeFirst(count * stride)
    }
}
