// SPDX-License-Identifier: Apache-2.0

/// What Swift's ABI defines for enumerations, but the language does not expose.
enum EnumerationMetadata {
    /// The kind of metadata that enumerations have, but for `Optional`.
    private static var kind: UInt { 0x201 }

    /// The greatest number of cases that are told.
    private static var greatestCount: UInt32 { 1 << 16 }

    /// All values of an enumeration without associated values; empty for other types.
    static func cases<Enumeration>(of type: Enumeration.Type) -> [Enumeration] {
        guard _isPOD(type), let count = caseCount(of: type) else { return [] }
        let size = MemoryLayout<Enumeration>.size
        guard size == (count == 1 ? 0 : count <= 1 << 8 ? 1 : 2) else { return [] }
        return (0..<count).map { number in
            withUnsafeTemporaryAllocation(of: Enumeration.self, capacity: 1) { place in
                var tag = UInt16(number).littleEndian
                withUnsafeBytes(of: &tag) { bytes in
                    UnsafeMutableRawBufferPointer(place)
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<size]))
                }
                // SAFETY: cases without associated values are numbered from 0 in the fewest bytes
                // that hold the number. RawValuePathTests would fail with another layout.
                return place[0]
            }
        }
    }

    /// How many cases an enumeration has, if none has associated values.
    private static func caseCount(of type: Any.Type) -> UInt32? {
        let word = MemoryLayout<UInt>.size
        // SAFETY: a type is a pointer to its metadata, which begins with its kind, and for an
        // enumeration with its descriptor behind that. There follow behind five words of 32 bits
        // the number of cases with associated values, in the low 24 bits, and of those without.
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard metadata.load(as: UInt.self) == kind else { return nil }
        let descriptor = metadata.load(fromByteOffset: word, as: UnsafeRawPointer.self)
        let payloadCases = descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
        let emptyCases = descriptor.load(fromByteOffset: 24, as: UInt32.self)
        guard payloadCases == 0, (1..<greatestCount).contains(emptyCases) else { return nil }
        return emptyCases
    }
}
