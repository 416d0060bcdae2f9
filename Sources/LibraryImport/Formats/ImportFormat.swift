// SPDX-License-Identifier: Apache-2.0

/// The file formats that the importer reads.
public enum ImportFormat: String, Sendable, Hashable, CaseIterable {
    /// One JSON document: an object of entities, or an array of rows.
    case json
    /// One JSON object a line.
    case jsonLines
    /// Comma-separated values with a header line.
    case csv
    /// Tab-separated values with a header line.
    case tsv

    /// The format that a file's extension names, `nil` for any other.
    public init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "json": self = .json
        case "jsonl", "ndjson", "jsonlines": self = .jsonLines
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        default: return nil
        }
    }
}
