// SPDX-License-Identifier: Apache-2.0

/// An error, warning or note for the compiler to print.
struct Diagnostic: Codable, Equatable {
    enum Severity: String, Codable {
        case error, warning, note
    }

    /// A place in a source file, counted in UTF-8 bytes.
    struct Position: Codable, Equatable {
        var fileName: String
        var offset: Int
    }

    struct PositionRange: Codable, Equatable {
        var fileName: String
        var startOffset: Int
        var endOffset: Int
    }

    struct Note: Codable, Equatable {
        var position: Position
        var message: String
    }

    struct FixIt: Codable, Equatable {
        struct Change: Codable, Equatable {
            var range: PositionRange
            var newText: String
        }
        var message: String
        var changes: [Change]
    }

    var message: String
    var severity: Severity
    var position: Position
    var highlights: [PositionRange] = []
    var notes: [Note] = []
    var fixIts: [FixIt] = []
}

extension Diagnostic {
    /// An error that belongs to no source text.
    init(unplaced message: String) {
        self.init(
            message: message, severity: .error, position: Position(fileName: "", offset: 0))
    }

    /// A misuse found in `syntax`, at its place in the file.
    init(_ misuse: Misuse, in syntax: PluginMessage.Syntax) {
        let file = syntax.location.fileName
        // The host counts from the start of the text it sent. Adding cannot
        // overflow for real files; a hostile message must not trap either.
        let start = syntax.location.offset &+ misuse.range.lowerBound
        let end = syntax.location.offset &+ misuse.range.upperBound
        self.init(
            message: misuse.message, severity: .error,
            position: Position(fileName: file, offset: start),
            highlights: [PositionRange(fileName: file, startOffset: start, endOffset: end)])
        if let fix = misuse.fix {
            let range = PositionRange(fileName: file, startOffset: start, endOffset: end)
            fixIts = [
                FixIt(message: fix.message, changes: [.init(range: range, newText: fix.text)])
            ]
        }
    }
}
