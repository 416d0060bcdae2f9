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
    /// Calls a body with the columns of all filters whose rows are compared with those of the
    /// terms; a run does that each time, so no list is made.
    func forEachColumn(_ body: (Column) -> Void) {
        for column in with { body(column) }
        for column in without { body(column) }
        for group in groups { for column in group { body(column) } }
        for (column, _) in added { body(column) }
        for (column, _) in changed { body(column) }
    }

    /// All columns that filters read.
    var readColumns: [Column] {
        var columns: [Column] = []
        forEachColumn { columns.append($0) }
        return columns + rows.map(\.column)
    }
}
