// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat

/// Where the record lies that is probably read some time after another one.
///
/// What a fetch has found is mostly read in its order, and long after the fetch: each record is
/// waited for again. So an object that is read has the record loaded of one further on.
@frozen
public struct RecordAhead: Equatable {
    /// How many objects further on: a loop that reads one number of each does not wait.
    ///
    /// A power of two, and the count of the objects that a maker of faults keeps.
    @inlinable public static var distance: Int { 8 }

    // The distance rather than the address, which would make each object larger.
    @usableFromInline var lines: Int32 = 0

    /// Leads nowhere.
    @inlinable
    public init() {}

    /// Leads from one record to another one.
    @inlinable
    @inline(__always)
    public init(from record: RecordView, to later: RecordView) {
        lines = MemoryHint.lines(from: record.bytes, to: later.bytes)
    }

    /// Has the record loaded, if there is one.
    ///
    /// - Parameter record: The record that it was made with. With another one nothing useful is
    ///   loaded, and nothing else happens.
    @inlinable
    @inline(__always)
    public func load(from record: RecordView) {
        if lines != 0 { MemoryHint.willRead(lines, behind: record.bytes) }
    }
}
