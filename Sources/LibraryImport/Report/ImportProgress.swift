// SPDX-License-Identifier: Apache-2.0

/// How far an import has come.
public struct ImportProgress: Sendable, Hashable {
    /// Receives progress; called on the importing thread, so it should return quickly.
    public typealias Handler = (ImportProgress) -> Void

    /// What the import is doing.
    public enum Phase: String, Sendable, Hashable {
        /// Reading all rows to infer the model.
        case survey
        /// Writing objects.
        case objects
        /// Setting references that could not be set with their object.
        case references
    }

    /// What the import is doing.
    public var phase: Phase
    /// The file being read.
    public var file: String
    /// The bytes read in this phase.
    public var bytesRead: Int
    /// The bytes that this phase will read.
    public var totalBytes: Int
    /// The rows read in this phase.
    public var rows: Int

    /// Makes a progress value.
    public init(phase: Phase, file: String, bytesRead: Int, totalBytes: Int, rows: Int) {
        self.phase = phase
        self.file = file
        self.bytesRead = bytesRead
        self.totalBytes = totalBytes
        self.rows = rows
    }
}
