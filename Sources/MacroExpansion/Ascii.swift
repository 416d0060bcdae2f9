// SPDX-License-Identifier: Apache-2.0

/// The bytes the tokenizer looks for.
enum Ascii {
    static let quote = UInt8(ascii: "\"")
    static let hash = UInt8(ascii: "#")
    static let backtick = UInt8(ascii: "`")
    static let backslash = UInt8(ascii: "\\")
    static let slash = UInt8(ascii: "/")
    static let star = UInt8(ascii: "*")
    static let minus = UInt8(ascii: "-")
    static let greater = UInt8(ascii: ">")
    static let open = UInt8(ascii: "(")
    static let close = UInt8(ascii: ")")

    static func isLineBreak(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 32 || (9...13).contains(byte) || byte == 0
    }
    static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    /// Letters, digits, `_`, `$`, and every byte of a character beyond ASCII.
    static func continuesWord(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (97...122).contains(byte) || isDigit(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 128
    }
}
