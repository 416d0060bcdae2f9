// SPDX-License-Identifier: Apache-2.0

import Lode

/// Where the tool writes: a file handle, or memory in tests.
final class ToolOutput {
    /// Whether the output is a terminal, where lines may be overwritten.
    let isTerminal: Bool
    /// Why the output is not complete.
    private(set) var failure: (any Error)?
    private let sink: (String) throws -> Void

    init(isTerminal: Bool = false, _ sink: @escaping (String) throws -> Void) {
        self.isTerminal = isTerminal
        self.sink = sink
    }

    /// Writes to an open file.
    static func standard(_ handle: FileHandle) -> ToolOutput {
        ToolOutput(isTerminal: isatty(handle.fileDescriptor) == 1) { text in
            try handle.write(contentsOf: Data(text.utf8))
        }
    }

    /// Writes text as it is; nothing more once that has failed.
    func write(_ text: String) {
        guard failure == nil else { return }
        do { try sink(text) } catch { failure = error }
    }

    /// Writes a line as it is.
    func line(_ text: String = "") { write(text + "\n") }

    /// Writes lines that may contain names from a file, without characters that a terminal would
    /// obey.
    func text(_ text: String) { line(TerminalText.escapedLines(text)) }
}
