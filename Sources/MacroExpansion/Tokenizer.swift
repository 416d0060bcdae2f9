// SPDX-License-Identifier: Apache-2.0

/// Splits Swift source into tokens, dropping blanks and comments.
///
/// It knows just enough to find where a declaration's parts begin and end, and
/// accepts anything: what is left open runs to the end of the text.
struct Tokenizer {
    let bytes: [UInt8]
    var position = 0
    private var isSpaced = false
    private var startsLine = true

    /// Interpolations nested deeper than this are taken for plain text, so that
    /// no input can exhaust the stack.
    static let deepestNesting = 64

    static func tokens(of source: String) -> [Token] {
        var tokenizer = Tokenizer(source)
        var tokens: [Token] = []
        while let token = tokenizer.next() { tokens.append(token) }
        return tokens
    }

    init(_ source: String) {
        bytes = Array(source.utf8)
    }

    mutating func next() -> Token? {
        skipTrivia()
        guard let byte = peek() else { return nil }
        let start = position
        let kind: Token.Kind
        if byte == Ascii.quote || (byte == Ascii.hash && hashesOpenString()) {
            skipString(depth: 0)
            kind = .string
        } else if byte == Ascii.backtick {
            skipBackticked()
            kind = .word
        } else if Ascii.isDigit(byte) {
            skipWord()
            kind = .number
        } else if Ascii.continuesWord(byte) {
            skipWord()
            kind = .word
        } else {
            skipMark(byte)
            kind = .mark
        }
        return Token(
            kind: kind, text: String(decoding: bytes[start..<position], as: UTF8.self),
            range: start..<position, isSpaced: isSpaced, startsLine: startsLine)
    }

    func peek(_ distance: Int = 0) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    private mutating func skipTrivia() {
        isSpaced = false
        startsLine = position == 0
        while let byte = peek() {
            if Ascii.isBlank(byte) {
                startsLine = startsLine || Ascii.isLineBreak(byte)
                position += 1
            } else if byte == Ascii.slash, peek(1) == Ascii.slash {
                while let byte = peek(), !Ascii.isLineBreak(byte) { position += 1 }
            } else if byte == Ascii.slash, peek(1) == Ascii.star {
                skipBlockComment()
            } else {
                return
            }
            isSpaced = true
        }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        while let byte = peek() {
            if byte == Ascii.slash, peek(1) == Ascii.star {
                depth += 1
                position += 2
            } else if byte == Ascii.star, peek(1) == Ascii.slash {
                depth -= 1
                position += 2
                if depth == 0 { return }
            } else {
                startsLine = startsLine || Ascii.isLineBreak(byte)
                position += 1
            }
        }
    }

    private mutating func skipMark(_ byte: UInt8) {
        if byte == Ascii.hash { return skipHashes() }
        position += byte == Ascii.minus && peek(1) == Ascii.greater ? 2 : 1
    }

    private mutating func skipWord() {
        while let byte = peek(), Ascii.continuesWord(byte) { position += 1 }
    }

    private mutating func skipBackticked() {
        position += 1
        while let byte = peek(), !Ascii.isLineBreak(byte) {
            position += 1
            if byte == Ascii.backtick { return }
        }
    }
}
