// SPDX-License-Identifier: Apache-2.0

/// A key of bytes where it lies.
struct KeyBytes {
    let start: UnsafeRawPointer
    let count: Int

    /// Eight bytes of the key as a number that orders as they do.
    @inline(__always)
    private func word(_ offset: Int) -> UInt64 {
        UInt64(bigEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// How the key compares with another one, and how many bytes both begin with.
    ///
    /// - Parameter known: A number of bytes that both are known to begin with.
    @inline(__always)
    func compared(with other: KeyBytes, behind known: Int) -> (order: Int, common: Int) {
        let shared = min(count, other.count)
        var offset = min(known, shared)
        while offset < shared {
            if shared < 8 {
                let own = start.load(fromByteOffset: offset, as: UInt8.self)
                let others = other.start.load(fromByteOffset: offset, as: UInt8.self)
                if own != others { return (own < others ? -1 : 1, offset) }
                offset &+= 1
                continue
            }
            // The last word begins earlier, with bytes that are known to be the same.
            offset = min(offset, shared &- 8)
            let (own, others) = (word(offset), other.word(offset))
            if own != others {
                let common = offset &+ (own ^ others).leadingZeroBitCount / 8
                return (own < others ? -1 : 1, common)
            }
            offset &+= 8
        }
        return (count &- other.count, shared)
    }
}
