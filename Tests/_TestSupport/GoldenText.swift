// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Compares text with what a test expects.
public enum GoldenText {
    /// What differs, as a text for a failure; `nil` for equal texts.
    ///
    /// Shows the first line that differs, with its number, as it is and as it should be.
    public static func difference(_ actual: String, from expected: String) -> String? {
        guard actual != expected else { return nil }
        let actualLines = actual.split(separator: "\n", omittingEmptySubsequences: false)
        let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
        for index in 0..<max(actualLines.count, expectedLines.count) {
            let line = index < actualLines.count ? "\"\(actualLines[index])\"" : "the end"
            let wanted = index < expectedLines.count ? "\"\(expectedLines[index])\"" : "the end"
            if line != wanted {
                return "line \(index + 1) is \(line), should be \(wanted); all of it:\n\(actual)"
            }
        }
        return "the texts differ in their line ends"
    }

    /// What differs from the text of a file; `nil` when nothing does.
    ///
    /// With the environment variable `LODE_UPDATE_GOLDEN` set to 1 the file is written anew, and
    /// the comparison succeeds.
    ///
    /// - Parameters:
    ///   - actual: The text that was made.
    ///   - path: The file with the expected text.
    /// - Throws: The system's error when the file cannot be read or written.
    public static func difference(_ actual: String, fromFileAt path: String) throws -> String? {
        if ProcessInfo.processInfo.environment["LODE_UPDATE_GOLDEN"] == "1" {
            try actual.write(toFile: path, atomically: true, encoding: .utf8)
            return nil
        }
        let expected = try String(contentsOfFile: path, encoding: .utf8)
        return difference(actual, from: expected).map { "\(path): \($0)" }
    }
}
