// SPDX-License-Identifier: Apache-2.0

/// What stands for bytes: equal bytes have equal keys, and others do not.
///
/// It is the first half of the bytes' SHA-256. No two different contents with one key are known,
/// and nobody knows how to make some.
@frozen
public struct ContentKey: Hashable, Sendable, BitwiseCopyable {
    /// The first eight bytes, read as a little-endian number.
    public let first: UInt64
    /// The next eight bytes.
    public let second: UInt64

    /// The number of a key's bytes.
    public static var byteCount: Int { 16 }

    /// Makes a key of its two numbers.
    @inlinable
    public init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    /// The key of some bytes.
    ///
    /// - Complexity: O(bytes)
    public init(of bytes: [UInt8]) {
        let words = SHA256.hash(bytes)
        func number(_ index: Int) -> UInt64 {
            UInt64(words[index].byteSwapped) | UInt64(words[index + 1].byteSwapped) << 32
        }
        self.init(first: number(0), second: number(2))
    }

    /// Reads the bytes of a key; nil for another number of bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == ContentKey.byteCount else { return nil }
        func number(_ start: Int) -> UInt64 {
            bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        self.init(first: number(0), second: number(8))
    }

    /// The key as its bytes.
    public var bytes: [UInt8] {
        [first, second].flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
        }
    }

    /// Keys are spread evenly already.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(first) }
}

extension ContentKey: Comparable {
    /// Orders keys as their bytes.
    public static func < (left: ContentKey, right: ContentKey) -> Bool {
        let (mine, theirs) = (left.first.byteSwapped, right.first.byteSwapped)
        if mine != theirs { return mine < theirs }
        return left.second.byteSwapped < right.second.byteSwapped
    }
}
