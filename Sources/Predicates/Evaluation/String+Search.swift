// SPDX-License-Identifier: Apache-2.0

import Foundation

extension String {
    /// Whether the UTF-8 bytes of a part occur in a row; an empty part always does.
    func containsBytes(of part: String) -> Bool {
        var text = self
        var part = part
        return text.withUTF8 { text in
            part.withUTF8 { part in
                guard let first = part.first, let partBase = part.baseAddress else { return true }
                guard let base = text.baseAddress else { return false }
                var start = 0
                while start + part.count <= text.count {
                    let candidates = text.count - part.count - start + 1
                    guard let found = memchr(base + start, Int32(first), candidates) else {
                        return false
                    }
                    if memcmp(found, partBase, part.count) == 0 { return true }
                    start = base.distance(to: found.assumingMemoryBound(to: UInt8.self)) + 1
                }
                return false
            }
        }
    }
}
