// SPDX-License-Identifier: Apache-2.0

/// How files are read.
public struct ReaderOptions: Sendable, Hashable {
    /// The bytes that are read at a time.
    public var chunkSize = 256 * 1024
    /// The largest row, in bytes of its values; a larger one is an error.
    public var maximumRowBytes = 64 * 1024 * 1024
    /// The most different field names in one section.
    public var maximumFields = 4096
    /// The most sections in one file.
    public var maximumSections = 4096
    /// The delimiter of CSV fields; `nil` for a comma, or a tab in a `.tsv` file.
    public var delimiter: UInt8?
    /// Top-level keys of a JSON file that may hold anything but rows and are skipped.
    public var ignoredKeys: Set<String> = []

    /// Makes the default options.
    public init() {}

    /// The deepest nesting of JSON arrays and objects.
    ///
    /// A constant, as the scanner descends by recursion and the stack must hold it.
    static let maximumDepth = 128
}
