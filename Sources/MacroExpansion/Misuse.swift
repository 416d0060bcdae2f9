// SPDX-License-Identifier: Apache-2.0

/// A way the macro was used that it cannot expand, and the bytes of the source
/// text to blame.
struct Misuse: Error, Equatable {
    /// A replacement of the blamed bytes that would make the use right.
    struct Fix: Equatable {
        var message: String
        var text: String
    }

    var message: String
    var range: Range<Int>
    var fix: Fix?

    init(_ message: String, at range: Range<Int>, fix: Fix? = nil) {
        self.message = message
        self.range = range
        self.fix = fix
    }
}
