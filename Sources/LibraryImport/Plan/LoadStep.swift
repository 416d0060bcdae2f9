// SPDX-License-Identifier: Apache-2.0

/// One reading of one source.
package struct LoadStep: Sendable, Hashable {
    /// What a step does with the rows.
    package enum Phase: Sendable, Hashable {
        /// Makes objects, sets the references that are not deferred, and makes the links of
        /// tables that are not deferred.
        case objects
        /// Sets deferred references of existing objects and makes deferred links. Rows rejected
        /// here were rejected, and reported, in the objects phase; only tables that are deferred
        /// as a whole report theirs now.
        case references
    }

    /// The file.
    package var source: SourceIndex
    /// What the step does.
    package var phase: Phase
    /// The tables whose rows matter, ascending; others are passed over.
    package var tables: [TableIndex]

    /// Makes a step.
    package init(source: SourceIndex, phase: Phase, tables: [TableIndex]) {
        self.source = source
        self.phase = phase
        self.tables = tables
    }
}
