// SPDX-License-Identifier: Apache-2.0

/// The pattern of `LIKE`, ready to match.
///
/// `*` stands for any run of characters, `?` for exactly one Unicode scalar, and a backslash
/// takes the next character literally. The pattern covers the whole text.
public struct LikePattern: Sendable, Hashable {
    private static let anyOne: UInt16 = 256
    private static let anyRun: UInt16 = 257

    /// Bytes to match and the two wildcards; runs of `*` are one.
    private let codes: [UInt16]
    /// How text is folded before it is matched.
    public let options: ComparisonOptions

    /// Makes a pattern; its literal parts are folded as the text will be.
    public init(_ pattern: String, options: ComparisonOptions = []) {
        var codes: [UInt16] = []
        var isEscaped = false
        for byte in TextFolding.fold(pattern, options).utf8 {
            if isEscaped {
                codes.append(UInt16(byte))
                isEscaped = false
            } else if byte == 0x5C {
                isEscaped = true
            } else if byte == 0x3F {
                codes.append(LikePattern.anyOne)
            } else if byte == 0x2A {
                if codes.last != LikePattern.anyRun { codes.append(LikePattern.anyRun) }
            } else {
                codes.append(UInt16(byte))
            }
        }
        if isEscaped { codes.append(0x5C) }
        self.codes = codes
        self.options = options
    }

    /// The bytes that every matching, folded text begins with.
    public var literalPrefix: [UInt8] {
        codes.prefix { $0 < 256 }.map { UInt8($0) }
    }

    /// Whether the prefix decides: the pattern is literal text with at most one `*` at its end.
    public var isPrefixPattern: Bool {
        codes.last == LikePattern.anyRun && codes.dropLast().allSatisfy { $0 < 256 }
    }

    /// Whether a text matches; it is folded first.
    public func matches(_ text: String) -> Bool {
        var folded = TextFolding.fold(text, options)
        return folded.withUTF8 { matches(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// Whether UTF-8 text matches that is folded already, or that needs no folding.
    ///
    /// Only the last `*` is ever tried again, so no pattern takes exponential time.
    ///
    /// - Complexity: O(*n* · *m*) at worst, O(*n* + *m*) for patterns met in practice.
    public func matches(utf8: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        var code = 0
        var runCode: Int?
        var runPosition = 0
        while position < utf8.count {
            let wanted = code < codes.count ? codes[code] : LikePattern.anyRun + 1
            if wanted == LikePattern.anyRun {
                runCode = code
                runPosition = position
                code += 1
            } else if wanted == LikePattern.anyOne {
                position += LikePattern.scalarLength(utf8[position])
                code += 1
            } else if wanted == UInt16(utf8[position]) {
                position += 1
                code += 1
            } else if let run = runCode {
                runPosition += LikePattern.scalarLength(utf8[runPosition])
                position = runPosition
                code = run + 1
            } else {
                return false
            }
        }
        return position == utf8.count && codes[code...].allSatisfy { $0 == LikePattern.anyRun }
    }

    private static func scalarLength(_ lead: UInt8) -> Int {
        lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    }
}
