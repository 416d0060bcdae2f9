// SPDX-License-Identifier: Apache-2.0

import Schema

/// The checksums that bind the values of a file to their keys, since version 5 of the format.
///
/// A value ends with four bytes: its own checksum, mixed with that of its key by exclusive or. So a
/// changed bit is found, and so is a value read under another key. Records already have a checksum,
/// which is mixed with that of their object key.
@frozen
public struct EntrySeal: Sendable {
    /// Whether the file has such checksums: one that began as version 5 or later.
    public let isOn: Bool

    /// The bytes that a seal adds to a value.
    public static var byteCount: Int { 4 }

    /// The seal of the files of a version.
    public init(version: UInt16) { isOn = version >= FormatVersion.sealed }

    /// The checksum of an object key, which that of its record is mixed with.
    @inlinable
    public func salt(of key: ObjectKey) -> UInt32 {
        isOn ? RecordChecksum.compute(word: key.rawValue) : 0
    }

    /// How many bytes of a stored value are the value itself.
    public func valueByteCount(_ stored: Int) -> Int {
        isOn ? max(stored - EntrySeal.byteCount, 0) : stored
    }

    /// The checksum of a value under its key.
    public func sum(_ value: UnsafeRawBufferPointer, for key: UnsafeRawBufferPointer) -> UInt32 {
        RecordChecksum.compute(value, skippingAt: -1) ^ RecordChecksum.compute(key, skippingAt: -1)
    }

    /// The checksum of a value under an integer key.
    public func sum(_ value: UnsafeRawBufferPointer, for key: UInt64) -> UInt32 {
        RecordChecksum.compute(value, skippingAt: -1) ^ RecordChecksum.compute(word: key)
    }

    /// A value as it is stored, with its seal.
    public func seal(_ value: some Collection<UInt8>, for key: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(value.count + EntrySeal.byteCount)
        bytes.append(contentsOf: value)
        guard isOn else { return bytes }
        let sum = bytes.withUnsafeBytes { value in
            key.withUnsafeBytes { self.sum(value, for: $0) }
        }
        withUnsafeBytes(of: sum.littleEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Writes the seal of a value into the last bytes of its room.
    public func close(_ room: UnsafeMutableRawBufferPointer, for key: UnsafeRawBufferPointer) {
        guard isOn else { return }
        let end = room.count - EntrySeal.byteCount
        let sum = self.sum(UnsafeRawBufferPointer(rebasing: room[..<end]), for: key)
        room.storeBytes(of: sum.littleEndian, toByteOffset: end, as: UInt32.self)
    }

    /// The value of stored bytes, without its seal.
    ///
    /// - Parameters:
    ///   - stored: The bytes of the entry.
    ///   - key: The key that they were found under.
    ///   - name: What the entry is, for the error.
    /// - Throws: ``RecordFormatError`` with `badChecksum` or `truncated`.
    public func open(
        _ stored: UnsafeRawBufferPointer, for key: UnsafeRawBufferPointer,
        _ name: @autoclosure () -> String
    ) throws(RecordFormatError) -> UnsafeRawBufferPointer {
        try open(stored, name()) { sum($0, for: key) }
    }

    @inline(__always)
    private func open(
        _ stored: UnsafeRawBufferPointer, _ name: @autoclosure () -> String,
        _ sum: (UnsafeRawBufferPointer) -> UInt32
    ) throws(RecordFormatError) -> UnsafeRawBufferPointer {
        guard isOn else { return stored }
        let end = stored.count - EntrySeal.byteCount
        guard end >= 0 else {
            throw RecordFormatError(.truncated, "\(name()) has \(stored.count) bytes")
        }
        let value = UnsafeRawBufferPointer(rebasing: stored[..<end])
        let found = UInt32(
            littleEndian: stored.loadUnaligned(fromByteOffset: end, as: UInt32.self))
        guard found == sum(value) else {
            throw RecordFormatError(.badChecksum, "\(name()) does not match its checksum")
        }
        return value
    }

    /// The value of bytes stored under a key in an array.
    public func open(
        _ stored: UnsafeRawBufferPointer, for key: [UInt8], _ name: @autoclosure () -> String
    ) throws(RecordFormatError) -> UnsafeRawBufferPointer {
        guard isOn else { return stored }
        var result: Result<UnsafeRawBufferPointer, RecordFormatError> = .success(stored)
        key.withUnsafeBytes { key in
            do throws(RecordFormatError) {
                result = .success(try open(stored, for: key, name()))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    /// The value of bytes stored under an integer key.
    public func open(
        _ stored: UnsafeRawBufferPointer, for key: UInt64, _ name: @autoclosure () -> String
    ) throws(RecordFormatError) -> UnsafeRawBufferPointer {
        try open(stored, name()) { sum($0, for: key) }
    }
}
