// SPDX-License-Identifier: Apache-2.0

/// Counts the distinct values of a column that may be a key, in bounded memory.
///
/// Up to a limit every value's 64-bit digest is kept. Beyond it values are assumed to be distinct:
/// the store's unique index finds those that are not.
package struct KeyTracker: Sendable {
    /// The most digests that are kept: at most some 32 MB.
    package static let limit = 1 << 20

    /// The values that were seen before.
    private(set) var duplicates = 0
    private var seen: Set<UInt64> = []
    private var isFull = false

    /// Makes a tracker without values.
    package init() {}

    /// Whether no value is known to have come twice.
    package var isUnique: Bool { duplicates == 0 }

    /// Counts one value.
    package mutating func add(_ value: RowValue, in bytes: [UInt8]) {
        switch value {
        case .integer(let number):
            insert(UInt64(bitPattern: number))
        case .text(let range): insert(Self.digest(ofText: bytes[range]))
        case .number(let range), .nested(let range): insert(Self.digest(bytes[range]))
        case .boolean(let flag): insert(flag ? 1 : 0)
        case .absent, .null, .emptyText: break
        }
    }

    private mutating func insert(_ digest: UInt64) {
        if isFull { return }
        if !seen.insert(digest).inserted { duplicates += 1 }
        if seen.count > Self.limit {
            isFull = true
            seen = []
        }
    }

    /// A UUID is the same one in capitals and in small letters.
    private static func digest(ofText text: ArraySlice<UInt8>) -> UInt64 {
        guard let uuid = UUIDText.value(text) else { return digest(text) }
        return mixed(uuid.high ^ mixed(uuid.low))
    }

    /// FNV-1a and a final mix.
    private static func digest(_ text: ArraySlice<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return mixed(hash)
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var hash = value
        hash ^= hash >> 33
        hash = hash &* 0xFF51_AFD7_ED55_8CCD
        return hash ^ hash >> 33
    }
}
