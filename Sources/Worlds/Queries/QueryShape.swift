// SPDX-License-Identifier: Apache-2.0

/// The world, terms and filters of a query, without its types.
@_documentation(visibility: internal)
public struct QueryShape {
    @usableFromInline package let world: World
    let terms: [TermColumn]
    var filters = QueryFilters()
    /// What the system may use that made the query; nil outside of systems.
    var access: SystemAccess?

    @usableFromInline
    init(_ world: World, _ terms: [TermColumn]) {
        self.world = world
        self.terms = terms
    }
}

/// What narrows a query beside its terms.
struct QueryFilters {
    var with: [Column] = []
    var without: [Column] = []
    var groups: [[Column]] = []
    var added: [(column: Column, tick: UInt64?)] = []
    var changed: [(column: Column, tick: UInt64?)] = []
    var rows: [RowFilter] = []
    /// The tick that filters without one of their own mean; nil for the last advance.
    var since: UInt64?
}

extension QueryFilters {
    /// The columns of all filters whose rows are compared with those of the terms.
    var columns: [Column] {
        with + without + groups.flatMap { $0 } + added.map(\.column) + changed.map(\.column)
    }

    /// All columns that filters read.
    var readColumns: [Column] { columns + rows.map(\.column) }

    /// The columns whose rows are compared, with those whose rows are named one by one.
    var columnsOfRows: [Column] {
        columns + rows.compactMap { $0.areRowsOfColumn ? $0.column : nil }
    }
}
