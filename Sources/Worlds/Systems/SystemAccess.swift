// SPDX-License-Identifier: Apache-2.0

import Traps

/// The components that a system reads and writes, by the places of their columns.
@usableFromInline
final class SystemAccess {
    /// The system's name, for messages.
    let name: String
    private let reads: ColumnSet
    private let writes: ColumnSet

    init(_ name: String, _ terms: [TermColumn]) {
        self.name = name
        var reads = ColumnSet()
        var writes = ColumnSet()
        for term in terms {
            guard let column = term.column else { continue }
            reads.insert(column.index)
            if term.isWritten { writes.insert(column.index) }
        }
        self.reads = reads
        self.writes = writes
    }

    func mayWrite(_ column: Column) -> Bool { writes.contains(column.index) }

    /// The columns that one of two systems writes and the other one uses.
    func conflicts(with other: SystemAccess) -> ColumnSet {
        writes.intersection(other.reads).union(reads.intersection(other.writes))
    }

    // MARK: Checks

    @usableFromInline
    func checkRead(_ column: Column) {
        guard reads.contains(column.index) else {
            trap(
                "system \(name) reads \(column.type.name) without having declared it; add "
                    + "\(column.swiftName).self to its reading:")
        }
    }

    @usableFromInline
    func checkWrite(_ column: Column) {
        guard writes.contains(column.index) else {
            trap(
                "system \(name) writes \(column.type.name) without having declared it; add "
                    + "\(column.swiftName).self to its writing:")
        }
    }

    /// Checks what a query of the system names.
    func check(_ terms: [TermColumn], _ filters: QueryFilters) {
        for term in terms {
            guard let column = term.column else { continue }
            if term.isWritten { checkWrite(column) } else { checkRead(column) }
        }
        for column in filters.readColumns { checkRead(column) }
    }
}
