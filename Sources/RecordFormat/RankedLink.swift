// SPDX-License-Identifier: Apache-2.0

/// One destination of an ordered relationship with its rank: a value of an `s.` database.
public struct RankedLink: Sendable, Hashable {
    /// The place among the owner's destinations; only the order of ranks has a meaning.
    public var rank: UInt64
    /// The object key of the destination.
    public var destination: UInt64

    /// The size of the bytes.
    public static let byteCount = 16
    /// The rank of the first destination: half of all ranks lie before it.
    public static let firstRank: UInt64 = 1 << 63
    /// The usual distance of neighbouring ranks: room for 32 insertions at one place.
    public static let gap: UInt64 = 1 << 32

    /// Makes a link.
    @inlinable
    public init(rank: UInt64, destination: UInt64) {
        self.rank = rank
        self.destination = destination
    }

    /// Reads the link at an offset.
    @inlinable
    public init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
        rank = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        destination = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
    }

    /// Calls a body with the bytes: the rank big-endian, then the destination.
    @inlinable
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let pair = (rank.bigEndian, destination)
        return try withUnsafeBytes(of: pair, body)
    }
}
