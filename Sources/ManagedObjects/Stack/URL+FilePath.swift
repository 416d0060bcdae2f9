// SPDX-License-Identifier: Apache-2.0

import Foundation

extension URL {
    /// The path of a file URL, as `path` has it.
    ///
    /// The first `path` of a process makes Foundation search all conformances, which takes longer
    /// than opening a store. Most URLs of files have nothing to decode.
    var filePath: String {
        let text = absoluteString
        let prefix = "file:///"
        guard text.hasPrefix(prefix), text.utf8.count > prefix.utf8.count,
            !text.utf8.contains(where: URL.needsDecoding), text.utf8.last != UInt8(ascii: "/")
        else { return path }
        return String(text.dropFirst(prefix.utf8.count - 1))
    }

    /// The path without empty steps, `.` and `..`, as `standardizedFileURL.path` has it.
    var standardPath: String {
        let path = filePath
        var last: UInt8 = 0
        for byte in path.utf8 {
            if last == UInt8(ascii: "/"), byte == last || byte == UInt8(ascii: ".") {
                return standardizedFileURL.path
            }
            last = byte
        }
        return path
    }

    private static func needsDecoding(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: ";"): true
        default: false
        }
    }
}
