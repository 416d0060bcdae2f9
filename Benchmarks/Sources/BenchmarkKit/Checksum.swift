// SPDX-License-Identifier: Apache-2.0

/// A sum over results that engines must agree on.
///
/// Timed passes add sizes and numbers only, which keeps its cost below that of any engine; a
/// verifying pass hashes every byte of text.
@frozen
public struct Checksum: Sendable, Hashable, CustomStringConvertible {
    /// The sum so far.
    public var value: UInt64 = 0
    /// Whether texts are hashed byte for byte.
    public let hashesText: Bool

    /// Starts a sum.
    @inlinable
    public init(hashesText: Bool = false) { self.hashesText = hashesText }

    /// The sum whose ``text`` this is; nil for any other text.
    public init?(text: Substring) {
        guard let kind = text.first, kind == "t" || kind == "n",
            let value = UInt64(text.dropFirst(), radix: 16)
        else { return nil }
        self.value = value
        hashesText = kind == "t"
    }

    /// The sum and whether it is over texts, for another process.
    public var text: String { (hashesText ? "t" : "n") + description }

    /// Adds a number.
    @inlinable
    public mutating func add(_ number: Int64) {
        value = (value &+ UInt64(bitPattern: number)) &* 0x9E37_79B9_7F4A_7C15
    }

    /// Adds a text: its size, and its bytes in a verifying pass.
    @inlinable
    public mutating func add(_ text: String) {
        add(Int64(text.utf8.count))
        guard hashesText else { return }
        for byte in text.utf8 { add(Int64(byte)) }
    }

    /// The sum in hexadecimal digits.
    public var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
