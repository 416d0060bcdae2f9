// SPDX-License-Identifier: Apache-2.0

/// Why a benchmark could not be run or must not be trusted.
public struct BenchmarkError: Error, CustomStringConvertible {
    /// What happened and what to do about it.
    public let description: String

    /// Makes an error of a message that says what to do.
    public init(_ message: String) { description = message }
}
