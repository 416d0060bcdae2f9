// SPDX-License-Identifier: Apache-2.0

import Foundation

extension String {
    /// Whether the UTF-8 bytes of a part occur in a row; an empty part always does.
    ///
    /// - Complexity: O(*n* + *m*) in the lengths of both.
    func containsBytes(of part: String) -> Bool {
        var text = self
        var part = part
        return text.withUTF8 { text in
            part.withUTF8 { part in
                guard let first = part.first else { return true }
                guard let base = text.baseAddress, part.count <= text.count else { return false }
                // The system finds the first candidate faster.
                let candidates = text.count - part.count + 1
                guard let found = memchr(base, Int32(first), candidates) else { return false }
                let start = base.distance(to: found.assumingMemoryBound(to: UInt8.self))
                var steps = 0
                return ByteSearch.position(of: part, in: text, start..<text.count, steps: &steps)
                    != nil
            }
        }
    }
}
