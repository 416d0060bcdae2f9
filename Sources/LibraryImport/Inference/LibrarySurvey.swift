// SPDX-License-Identifier: Apache-2.0

/// What one pass over all sources found: the entities with their columns, and where their rows are.
package struct LibrarySurvey: Sendable {
    /// One section of a source.
    package struct Section: Sendable, Hashable {
        /// The file.
        package var source: SourceIndex
        /// The index of the section in its source.
        package var section: Int
        /// The table, by its index in ``LibrarySurvey/entities``.
        package var table: TableIndex
        /// The names of the fields, in the order of the file.
        package var fields: [String] = []
        /// The rows, including unusable ones.
        package var rowCount = 0
    }

    /// The files, in the order in which they are read.
    package var sources: IndexedList<SourceIndex, ImportSource>
    /// The sections in the order of the files.
    package var sections: [Section] = []
    /// What is known of each table, in the order in which they appear.
    package var entities: IndexedList<TableIndex, EntityStatistics> = .init([])

    /// The sources whose sections alternate, as those of a Django fixture may.
    package var mixedSources: Set<SourceIndex> = []

    /// All rows of all sections.
    package var rowCount: Int { sections.reduce(0) { $0 + $1.rowCount } }
}
