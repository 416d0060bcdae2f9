// SPDX-License-Identifier: Apache-2.0

/// What one pass over all sources found: the entities with their columns, and where their rows are.
struct LibrarySurvey: Sendable {
    /// One section of a source.
    struct Section: Sendable, Hashable {
        /// The file.
        var source: SourceIndex
        /// The index of the section in its source.
        var section: Int
        /// The table, by its index in ``LibrarySurvey/entities``.
        var table: TableIndex
        /// The names of the fields, in the order of the file.
        var fields: [String] = []
        /// The rows, including unusable ones.
        var rowCount = 0
    }

    /// The files, in the order in which they are read.
    var sources: IndexedList<SourceIndex, ImportSource>
    /// The sections in the order of the files.
    var sections: [Section] = []
    /// What is known of each table, in the order in which they appear.
    var entities: IndexedList<TableIndex, EntityStatistics> = .init([])

    /// The sources whose sections alternate, as those of a Django fixture may.
    var mixedSources: Set<SourceIndex> = []

    /// The first row that a reader could not use, named as its table is in the sources.
    var firstProblem: RejectedRow?

    /// All rows of all sections.
    var rowCount: Int { sections.reduce(0) { $0 + $1.rowCount } }

    /// The path of the first file with a table; `nil` for a table that only the store has.
    func file(of table: TableIndex) -> String? {
        sections.first { $0.table == table }.map { sources[$0.source].path }
    }
}
