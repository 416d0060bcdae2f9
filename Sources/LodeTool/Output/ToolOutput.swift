// SPDX-License-Identifier: Apache-2.0

import Lode

/// Where the tool writes: a file handle, or memory in tests.
final class ToolOutput {
    /// Whether a person watches: then lines may be overwritten.
    let isTerminal: Bool
    private let sink: (String) -> Void

    init(isTerminal: Bool = false, _ sink: @escaping (String) -> Void) {
        self.isTerminal = isTerminal
        self.sink = sink
    }

    /// Writes to an open file.
    static func standard(_ handle: FileHandle) -> ToolOutput {
        ToolOutput(isTerminal: isatty(handle.fileDescriptor) == 1) { text in
            // A reader that went away, as in `lode query … | head`, is no error of the tool's.
            try? handle.write(contentsOf: Data(text.utf8))
        }
    }

    /// Writes text as it is.
    func write(_ text: String) { sink(text) }

    /// Writes a line.
    func line(_ text: String = "") { sink(text + "\n") }
}
