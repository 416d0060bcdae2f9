// SPDX-License-Identifier: Apache-2.0

/// How files are imported into a store.
///
/// ```swift
/// var options = ImportOptions()
/// options.mapping = try ImportMapping.parse(#"{"entities": {"Log": {"ignore": true}}}"#)
/// options.isStrict = true  // the first rejected row stops the import
/// let importer = try LibraryImporter(path: "chinook/", into: storeURL, options: options)
/// ```
public struct ImportOptions: Sendable, Hashable {
    /// Choices that override the inferred model.
    public var mapping: ImportMapping?
    /// The format of every file; `nil` to go by extension.
    public var format: ImportFormat?
    /// Whether the first rejected row stops the import and leaves the store as it was.
    public var isStrict = false
    /// The rows that are converted at a time, and the objects that one save writes.
    ///
    /// Where a new store needs no objects, one commit writes the records of eight times as many
    /// rows.
    public var batchSize = 10_000
    /// The most rejected rows that the report lists.
    public var rejectionLimit = 100
    /// Limits and delimiters of the readers.
    public var reader = ReaderOptions()

    /// Makes the default options.
    public init() {}
}
