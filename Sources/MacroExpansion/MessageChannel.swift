// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Whole messages over a pair of file descriptors: a little-endian 64-bit byte
/// count, then that many bytes.
struct MessageChannel {
    let input: Int32
    let output: Int32

    /// A count above this is a broken stream, not a message: sources are small.
    static let longestMessage = 1 << 30

    /// The next message, or nil when the other side has closed the stream or
    /// the stream makes no sense.
    func receive() -> [UInt8]? {
        guard let header = read(8) else { return nil }
        var count: UInt64 = 0
        for byte in header.reversed() { count = count << 8 | UInt64(byte) }
        guard count <= UInt64(Self.longestMessage) else { return nil }
        return read(Int(count))
    }

    /// Sends one message; false when the other side has gone away.
    func send(_ message: [UInt8]) -> Bool {
        let count = UInt64(message.count)
        let header = (0..<8).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
        return write(header + message)
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                systemRead(input, UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            filled += got
        }
        return bytes
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let put = bytes.withUnsafeBytes { buffer in
                systemWrite(output, UnsafeRawBufferPointer(rebasing: buffer[sent...]))
            }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { return false }
            sent += put
        }
        return true
    }
}

// The methods above are named like the C functions and would hide them.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(file, buffer.baseAddress, buffer.count)
}

private func systemWrite(_ file: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    write(file, buffer.baseAddress, buffer.count)
}
