// SPDX-License-Identifier: Apache-2.0

/// An operation on a data file that failed.
///
/// Match on `code`; show `message`, which says what happened and what to do
/// about it.
public struct LMDBError: Error, Sendable {
    /// What went wrong: LMDB's code, an `errno` value, or one of Lode's own.
    public let code: Code
    /// The data file concerned, where it is known.
    public let path: String?
    /// What happened, and what to do about it.
    public let message: String

    /// Makes an error whose message is given in full.
    public init(code: Code, path: String?, message: String) {
        self.code = code
        self.path = path
        self.message = message
    }

    /// Makes an error whose message is built from the code and the operation.
    init(_ code: Code, path: String?, during operation: String) {
        self.code = code
        self.path = path
        message = "\(operation) failed: \(code.explanation). \(code.advice)"
    }
}

extension LMDBError: CustomStringConvertible {
    /// The file, the message and the code.
    public var description: String {
        "\(path ?? "no file"): \(message) (code \(code.rawValue))"
    }
}
