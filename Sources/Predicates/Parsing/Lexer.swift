// SPDX-License-Identifier: Apache-2.0

/// Cuts a predicate format into tokens, one at a time.
struct Lexer {
    let format: String
    let bytes: [UInt8]
    /// The byte after the last token.
    var position = 0

    init(_ format: String) {
        self.format = format
        bytes = Array(format.utf8)
    }

    /// The byte at a distance from the position; 0 beyond the end.
    func peek(_ distance: Int = 0) -> UInt8 {
        let index = position + distance
        return index < bytes.count ? bytes[index] : 0
    }

    mutating func advance(_ count: Int = 1) {
        position += count
    }

    mutating func skipWhitespace() {
        while position < bytes.count, bytes[position] == 0x20 || 0x09...0x0D ~= bytes[position] {
            position += 1
        }
    }

    /// Reads the token at the position.
    mutating func next() throws(PredicateSyntaxError) -> Token {
        guard position < bytes.count else { return .end }
        let byte = peek()
        switch byte {
        case 0x22, 0x27: return .string(try string(quote: byte))
        case 0x30...0x39: return .number(try number())
        case 0x2E where isDigit(1) && !followsOperand: return .number("0" + (try number()))
        case 0x23: return .key(try escapedKey())
        case 0x24:
            advance()
            return .variable(try name(after: "$"))
        case 0x40:
            advance()
            return .collectionOperator("@" + (try name(after: "@")))
        case 0x25: return .conversion(try conversion())
        default: break
        }
        if isNull {
            advance(Lexer.null.count)
            return .word("NULL")
        }
        if let word = wordText() { return try selector(startingWith: word) }
        var length = 0
        guard let symbol = Symbol(first: byte, second: peek(1), length: &length) else {
            throw error(.unknownCharacter, at: position, expected: "a known character")
        }
        advance(length)
        return .symbol(symbol)
    }

    /// Whether a point at the position belongs to what is before it, as that of `a.b` does.
    private var followsOperand: Bool {
        guard position > 0 else { return false }
        let before = bytes[position - 1]
        return before >= 0x80 || Unicode.Scalar(before).isWordPart
            || [0x22, 0x27, 0x29, 0x5D, 0x7D].contains(before)
    }

    /// `<null>`, as the text of a predicate has it for an `NSNull`, in any case.
    private static let null = Array("<null>".utf8)

    private var isNull: Bool {
        peek() == 0x3C
            && (1..<Lexer.null.count).allSatisfy { peek($0) | 0x20 == Lexer.null[$0] | 0x20 }
    }

    /// The word at the position, which moves behind it; `nil` where none begins.
    mutating func wordText() -> String? {
        let start = position
        while let length = wordCharacter(isFirst: position == start) { advance(length) }
        return position == start ? nil : text(start..<position)
    }

    private func wordCharacter(isFirst: Bool) -> Int? {
        switch peek() {
        case 0x41...0x5A, 0x61...0x7A, 0x5F: return 1
        case 0x30...0x39: return isFirst ? nil : 1
        case 0x80...:
            let scalar = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
                .unicodeScalars.first
            guard let scalar, scalar.isWordPart else { return nil }
            return scalar.utf8Length
        default: return nil
        }
    }

    private mutating func name(after mark: String) throws(PredicateSyntaxError) -> String {
        guard let name = wordText() else {
            throw error(.unexpectedText, at: position, expected: "a name after \(mark)")
        }
        return name
    }

    private mutating func escapedKey() throws(PredicateSyntaxError) -> String {
        advance()
        if peek() == 0x22 || peek() == 0x27 { return try string(quote: peek()) }
        return try name(after: "#")
    }

    private mutating func selector(
        startingWith word: String
    ) throws(PredicateSyntaxError) -> Token {
        guard peek() == 0x3A, peek(1) != 0x3D else { return .word(word) }
        var selector = word
        while peek() == 0x3A {
            advance()
            selector += ":" + (wordText() ?? "")
        }
        return .selector(selector)
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

extension Lexer {
    /// An error at a byte; what was found is the text there unless given.
    func error(
        _ code: PredicateSyntaxError.Code, at byte: Int, expected: String, found: String? = nil
    ) -> PredicateSyntaxError {
        let rest = String(decoding: bytes[min(byte, bytes.count)...].prefix(80), as: UTF8.self)
        let character = rest.first.map { "“\($0)”" } ?? "the end"
        return PredicateSyntaxError(
            code: code, format: format, offset: text(0..<min(byte, bytes.count)).count,
            expected: expected, found: found ?? character)
    }
}

extension Unicode.Scalar {
    /// Whether the scalar may stand in a word, apart from ASCII digits at its beginning.
    var isWordPart: Bool {
        isASCII
            ? self == "_" || properties.isAlphabetic || ("0"..."9").contains(self)
            : properties.isIDContinue
    }

    fileprivate var utf8Length: Int {
        value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4
    }
}
