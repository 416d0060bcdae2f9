// SPDX-License-Identifier: Apache-2.0

/// The 48 bytes that a chunk of value components begins with in a file.
public struct ChunkHeader: Sendable {
    /// The number that tells one writing of the chunk from another; never 0.
    public let version: UInt64
    /// The number of the component type.
    public let type: UInt32
    /// The number of the chunk.
    public let chunk: UInt32
    /// The rows with a value.
    public let count: UInt32

    private static let sumOffset = 8
    private static let typeOffset = 16
    private static let chunkOffset = 20
    private static let countOffset = 24
    private static let shiftOffset = 28
    private static let strideOffset = 32

    /// Makes a header.
    public init(version: UInt64, type: UInt32, chunk: UInt32, count: UInt32) {
        self.version = version
        self.type = type
        self.chunk = chunk
        self.count = count
    }

    /// Writes the header and the checksum of a whole chunk, whose other bytes are there.
    public func write(to bytes: UnsafeMutableRawBufferPointer, _ format: ChunkFormat) {
        func store(_ number: UInt32, _ offset: Int) {
            bytes.storeBytes(of: number.littleEndian, toByteOffset: offset, as: UInt32.self)
        }
        bytes[0..<ChunkFormat.headerSize].initializeMemory(as: UInt8.self, repeating: 0)
        bytes.storeBytes(of: version.littleEndian, as: UInt64.self)
        store(type, ChunkHeader.typeOffset)
        store(chunk, ChunkHeader.chunkOffset)
        store(count, ChunkHeader.countOffset)
        store(UInt32(format.shift), ChunkHeader.shiftOffset)
        store(UInt32(format.stride), ChunkHeader.strideOffset)
        store(ChunkHeader.sum(UnsafeRawBufferPointer(bytes)), ChunkHeader.sumOffset)
    }

    private static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        RecordChecksum.compute(bytes, skippingAt: sumOffset)
    }

    /// The version of stored bytes; 0 for bytes that are too short for a header.
    public static func version(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        guard bytes.count >= ChunkFormat.headerSize else { return 0 }
        return UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    }

    /// Reads the header of stored bytes, and compares all of them with it.
    ///
    /// - Parameters:
    ///   - bytes: The value of an entry of `columns`, of any length.
    ///   - name: The name of the component type, for the error.
    ///   - type: The number of the component type in the key.
    ///   - chunk: The number of the chunk in the key.
    ///   - format: The format of the component type.
    /// - Throws: ``RecordFormatError`` unless it is the whole, undamaged chunk of the numbers.
    public init(
        checking bytes: UnsafeRawBufferPointer, of name: String, type: UInt32, chunk: UInt32,
        _ format: ChunkFormat
    ) throws(RecordFormatError) {
        let what = "chunk \(chunk) of the component \(name)"
        guard bytes.count == format.size else {
            throw RecordFormatError(
                .truncated, "\(what) has \(bytes.count) bytes instead of \(format.size)")
        }
        func field(_ offset: Int) -> UInt32 {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        guard field(ChunkHeader.sumOffset) == ChunkHeader.sum(bytes) else {
            throw RecordFormatError(.badChecksum, "\(what) does not match its checksum")
        }
        self.init(
            version: ChunkHeader.version(of: bytes), type: field(ChunkHeader.typeOffset),
            chunk: field(ChunkHeader.chunkOffset), count: field(ChunkHeader.countOffset))
        guard self.type == type, self.chunk == chunk, version > 0,
            field(ChunkHeader.shiftOffset) == UInt32(format.shift),
            field(ChunkHeader.strideOffset) == UInt32(format.stride)
        else {
            throw RecordFormatError(.unknownNumber, "\(what) has the header of another")
        }
        let found = format.count(in: bytes)
        guard Int(count) == found else {
            throw RecordFormatError(
                .unknownNumber, "\(what) has \(found) values instead of \(count)")
        }
        // A writer removes it, so readers need not look for a difference.
        guard count > 0 else {
            throw RecordFormatError(.unknownNumber, "\(what) has no values")
        }
    }
}
