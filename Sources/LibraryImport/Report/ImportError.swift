// SPDX-License-Identifier: Apache-2.0

/// Why an import stopped, where in the input, and what to do about it.
public struct ImportError: Error, Sendable, Hashable {
    /// The kind of an import error.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The text is not valid JSON, JSON Lines or CSV.
        case malformed
        /// The file or folder cannot be opened or read.
        case cannotOpen
        /// The file's format is not one that the importer reads.
        case unsupportedFormat
        /// The mapping file contradicts itself, the grammar or the data.
        case badMapping
        /// A row was rejected and the import is strict.
        case strictRejection
        /// The data allows more than one model; a mapping has to choose.
        case ambiguousModel
        /// A name of the data is longer than that of an entity or property may be.
        case nameTooLong
        /// The store that the data goes into has another model.
        case incompatibleStore
    }

    /// The kind of error.
    public var code: Code
    /// The path of the file at fault, as it was given.
    public var file: String
    /// The line in the file, counted from 1.
    public var line: Int?
    /// The column in the line, counted in UTF-8 bytes from 1.
    public var column: Int?
    /// What is wrong and what to do about it.
    public var message: String

    /// Makes an error.
    public init(
        _ code: Code, file: String, line: Int? = nil, column: Int? = nil, message: String
    ) {
        self.code = code
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }
}

extension ImportError: CustomStringConvertible {
    /// `file:line:column: message`, the form that editors can jump to.
    public var description: String {
        var place = file
        if let line { place += ":\(line)" }
        if let column { place += ":\(column)" }
        return "\(place): \(message)"
    }
}
