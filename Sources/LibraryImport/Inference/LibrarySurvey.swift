// SPDX-License-Identifier: Apache-2.0

/// What one pass over all sources found: the entities with their columns, and where their rows are.
package struct LibrarySurvey: Sendable {
    /// One section of a source.
    package struct Section: Sendable, Hashable {
        /// The index of the source.
        package var source: Int
        /// The index of the section in its source.
        package var section: Int
        /// The index of the entity.
        package var entity: Int
        /// The names of the fields, in the order of the file.
        package var fields: [String] = []
        /// The rows, including unusable ones.
        package var rowCount = 0
    }

    /// The files, in the order in which they are read.
    package var sources: [ImportSource]
    /// The sections in the order of the files.
    package var sections: [Section] = []
    /// The entities in the order in which they appear.
    package var entities: [EntityStatistics] = []

    /// The sources whose sections alternate, as those of a Django fixture may.
    package var mixedSources: Set<Int> = []

    /// All rows of all sections.
    package var rowCount: Int { sections.reduce(0) { $0 + $1.rowCount } }
}
