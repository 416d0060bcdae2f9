// SPDX-License-Identifier: Apache-2.0

/// One input row that cannot become an object or a link, and the reason.
public struct RejectedRow: Sendable, Hashable {
    /// The path of the file.
    public var file: String
    /// The line on which the row starts, counted from 1.
    public var line: Int
    /// The number of the row in its section, counted from 1; a CSV header is not a row.
    public var row: Int
    /// The name of the entity or link table.
    public var entity: String
    /// What is wrong with the row.
    public var reason: String

    /// Makes a rejection.
    public init(file: String, line: Int, row: Int, entity: String, reason: String) {
        self.file = file
        self.line = line
        self.row = row
        self.entity = entity
        self.reason = reason
    }

    /// The error that a strict import stops with.
    public var strictError: ImportError {
        ImportError(
            .strictRejection, file: file, line: line,
            message: "\(entity) row \(row): \(reason). Nothing was imported: correct the row, or "
                + "leave out --strict to import what can be imported")
    }
}

extension RejectedRow: CustomStringConvertible {
    /// `file:line: Entity row N: reason`.
    public var description: String {
        "\(file):\(line): \(entity) row \(row): \(reason)"
    }
}
