// SPDX-License-Identifier: Apache-2.0

import Traps

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The values that a column lost lately, with the ticks at which it lost them.
///
/// The notes lie one behind the other in memory that the column owns: a removal writes to one
/// place, and `realloc` enlarges much memory without a copy.
@usableFromInline
struct RemovalLog {
    private var notes: UnsafeMutableRawPointer?
    /// The tick of the newest note, also when that is forgotten.
    @usableFromInline var newest: UInt64 = 0
    /// Where the next note goes.
    @usableFromInline var end: UnsafeMutableRawPointer?
    /// Where the memory ends.
    @usableFromInline var limit: UnsafeMutableRawPointer?
    /// The bytes of a note: row, tick and value, a multiple of 8.
    @usableFromInline let size: Int
    /// The offset of the value in a note.
    @usableFromInline static let valueOffset = 16
    private static let firstCapacity = 32

    init(stride: Int) { size = RemovalLog.valueOffset + (stride + 7) & ~7 }

    /// Gives the memory back.
    func deallocate() { free(notes) }

    /// The number of notes.
    var count: Int {
        guard let notes, let end else { return 0 }
        return (end - notes) / size
    }

    /// Notes that a row has lost its value, of some bytes.
    @inlinable @inline(__always)
    mutating func append(_ row: Int, _ tick: UInt64, _ value: UnsafeRawPointer, _ stride: Int) {
        if end == limit { grow() }
        // SAFETY: there is room for a note now, and the caller's value has so many bytes.
        let note = unsafe end.unsafelyUnwrapped
        note.storeBytes(of: row, as: Int.self)
        note.storeBytes(of: tick, toByteOffset: 8, as: UInt64.self)
        (note + RemovalLog.valueOffset).copyMemory(from: value, byteCount: stride)
        end = note + size
        newest = tick
    }

    @usableFromInline @inline(never)
    mutating func grow() {
        let count = count
        let capacity = max(RemovalLog.firstCapacity, count * 2)
        guard let larger = realloc(notes, capacity * size) else {
            trap("no memory for \(capacity) removed values of \(size) bytes")
        }
        notes = larger
        end = larger + count * size
        limit = larger + capacity * size
    }

    private func note(_ index: Int) -> UnsafeRawPointer {
        guard let notes, index < count else { trap("removal \(index) of \(count)") }
        return UnsafeRawPointer(notes + index * size)
    }

    /// The row of a note.
    func row(_ index: Int) -> Int { note(index).load(as: Int.self) }

    /// The value of a note.
    func value<C: StoredComponent>(_ index: Int, _ type: C.Type) -> C {
        note(index).loadUnaligned(fromByteOffset: RemovalLog.valueOffset, as: C.self)
    }

    /// The place of a note's value.
    func value(_ index: Int) -> UnsafeRawPointer { note(index) + RemovalLog.valueOffset }

    /// Calls a body with each value.
    func forEachValue(_ body: (UnsafeRawPointer) -> Void) {
        for index in 0..<count { body(value(index)) }
    }

    /// The first note after a tick; notes are in the order of their ticks.
    func firstIndex(after tick: UInt64) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if note(middle).load(fromByteOffset: 8, as: UInt64.self) > tick {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }

    /// Forgets the notes up to a tick.
    mutating func forget(upTo tick: UInt64) {
        let forgotten = firstIndex(after: tick)
        guard forgotten > 0, let notes else { return }
        let rest = (count - forgotten) * size
        notes.copyMemory(from: notes + forgotten * size, byteCount: rest)
        end = notes + rest
    }
}
