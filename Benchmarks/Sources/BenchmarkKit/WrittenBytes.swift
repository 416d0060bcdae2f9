// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What this process has handed to calls that write.
public enum WrittenBytes {
    /// The bytes so far, of all files and pipes, as the kernel counts them.
    public static func count() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("wchar:") }
        guard let field = line?.split(separator: " ").last, let count = Int(field) else {
            throw BenchmarkError("/proc/self/io does not tell what was written")
        }
        return count
    }
}
