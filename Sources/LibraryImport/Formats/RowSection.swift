// SPDX-License-Identifier: Apache-2.0

/// A run of rows of one entity within a source.
package struct RowSection: Sendable, Hashable {
    /// The entity's name as the source writes it.
    package var name: String
    /// The rows that were read so far, including unusable ones.
    package var rowCount = 0

    /// Makes a section without rows.
    package init(name: String) {
        self.name = name
    }
}
