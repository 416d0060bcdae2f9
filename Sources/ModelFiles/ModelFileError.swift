// SPDX-License-Identifier: Apache-2.0

/// A model file that cannot be read, with the place and the reason.
public struct ModelFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path of the file, as it was given.
    public let path: String
    /// The line, from 1; 0 where the fault has no line.
    public let line: Int
    /// What is wrong, and what to do about it.
    public let reason: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - reason: What is wrong, and what to do about it.
    ///   - line: The line, from 1; 0 where there is none.
    ///   - path: The file; empty where it is not known yet.
    public init(_ reason: String, line: Int = 0, path: String = "") {
        self.reason = reason
        self.line = line
        self.path = path
    }

    /// The same error, of a file.
    public func inFile(_ path: String) -> ModelFileError {
        ModelFileError(reason, line: line, path: path)
    }

    /// Path, line and reason, as compilers write them.
    public var description: String {
        let place = line > 0 ? "\(path):\(line)" : path
        return place.isEmpty ? reason : "\(place): \(reason)"
    }
}
