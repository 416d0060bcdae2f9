// SPDX-License-Identifier: Apache-2.0

/// Writes JSON text.
enum JSONText {
    /// Appends text in quotes, with the escapes that RFC 8259 requires and no other.
    static func appendQuoted(_ text: ArraySlice<UInt8>, to sink: inout [UInt8]) {
        sink.append(0x22)
        for byte in text {
            switch byte {
            case 0x22, 0x5C:
                sink.append(0x5C)
                sink.append(byte)
            case 0x0A: sink.append(contentsOf: [0x5C, 0x6E])
            case 0x0D: sink.append(contentsOf: [0x5C, 0x72])
            case 0x09: sink.append(contentsOf: [0x5C, 0x74])
            case ..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                sink.append(contentsOf: "\\u00".utf8)
                sink.append(digits[Int(byte >> 4)])
                sink.append(digits[Int(byte & 15)])
            default: sink.append(byte)
            }
        }
        sink.append(0x22)
    }
}
