// SPDX-License-Identifier: Apache-2.0

extension Lexer {
    /// Reads a quoted string; the position is at its quote.
    mutating func string(quote: UInt8) throws(PredicateSyntaxError) -> String {
        let start = position
        advance()
        var result: [UInt8] = []
        while position < bytes.count {
            let byte = peek()
            if byte == quote {
                advance()
                return String(decoding: result, as: UTF8.self)
            }
            if byte == 0x5C {
                result.append(contentsOf: String(try escape()).utf8)
            } else {
                result.append(byte)
                advance()
            }
        }
        let mark = Character(UnicodeScalar(quote))
        throw error(
            .unterminatedString, at: start, expected: "a closing \(mark)",
            found: "a string without end")
    }

    private mutating func escape() throws(PredicateSyntaxError) -> Character {
        let start = position
        let letter = peek(1)
        advance(2)
        switch letter {
        case 0x6E: return "\n"
        case 0x74: return "\t"
        case 0x72: return "\r"
        case 0x61: return "\u{07}"
        case 0x62: return "\u{08}"
        case 0x66: return "\u{0C}"
        case 0x76: return "\u{0B}"
        case 0x78: return try code(radix: 16, digits: 1...2, from: start)
        case 0x75: return try code(radix: 16, digits: 4...4, from: start)
        case 0x55: return try code(radix: 16, digits: 8...8, from: start)
        case 0x30...0x37:
            advance(-1)
            return try code(radix: 8, digits: 1...3, from: start)
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E:
            return Character(UnicodeScalar(letter))
        default:
            throw error(.invalidEscape, at: start, expected: "an escape such as \\n or \\\"")
        }
    }

    private mutating func code(
        radix: UInt32, digits: ClosedRange<Int>, from start: Int
    ) throws(PredicateSyntaxError) -> Character {
        var value: UInt32 = 0
        var count = 0
        while count < digits.upperBound, let digit = Lexer.digit(peek()), digit < radix {
            value = value &* radix &+ digit
            count += 1
            advance()
        }
        guard count >= digits.lowerBound, let scalar = Unicode.Scalar(value) else {
            throw error(.invalidEscape, at: start, expected: "the code of a character")
        }
        return Character(scalar)
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46: UInt32(byte - 0x41 + 10)
        case 0x61...0x66: UInt32(byte - 0x61 + 10)
        default: nil
        }
    }

    /// Reads a number without sign; the position is at its first digit, or at a point before it.
    ///
    /// A word that joins expressions or predicates may follow without a space, as in `5and`.
    mutating func number() throws(PredicateSyntaxError) -> String {
        let start = position
        if peek() == 0x30, peek(1) | 0x20 == 0x78 {
            advance(2)
            while Lexer.digit(peek()) != nil { advance() }
        } else {
            skipDigits()
            if peek() == 0x2E, isDigit(1) {
                advance()
                skipDigits()
            }
            if peek() | 0x20 == 0x65 {
                let sign = peek(1) == 0x2B || peek(1) == 0x2D ? 1 : 0
                if isDigit(1 + sign) {
                    advance(1 + sign)
                    skipDigits()
                }
            }
        }
        let literal = text(start..<position)
        let end = position
        let word = wordText()
        if word.flatMap({ Keyword(word: $0) })?.joins == true { position = end }
        if position != end || literal.utf8.count == 2 && literal.hasSuffix("x") {
            throw error(
                .invalidNumber, at: start, expected: "a number",
                found: "“\(text(start..<position).prefix(40))”")
        }
        return literal
    }

    func isDigit(_ distance: Int) -> Bool {
        0x30...0x39 ~= peek(distance)
    }

    private mutating func skipDigits() {
        while isDigit(0) { advance() }
    }

    /// Reads a `%` conversion with flags and length modifiers, which change nothing.
    mutating func conversion() throws(PredicateSyntaxError) -> Conversion {
        let start = position
        advance()
        while "0123456789.+- #hlqLzjt".utf8.contains(peek()) { advance() }
        let letter = peek()
        advance()
        switch Character(UnicodeScalar(letter)) {
        case "@": return .object
        case "K": return .keyPath
        case "d", "D", "i", "u", "U", "o", "O", "x", "X", "p": return .integer
        case "f", "F", "e", "E", "g", "G", "a", "A": return .number
        case "s", "S": return .string
        case "c", "C": return .character
        default:
            throw error(
                .unknownConversion, at: start, expected: "a conversion such as %@, %K or %d")
        }
    }
}
