// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The memory of this process, as the kernel counts it.
public enum PeakMemory {
    /// The largest resident size so far, in bytes.
    ///
    /// From `/proc/self/status` where there is one: unlike `getrusage`, it does not carry over the
    /// size of the parent that started this process.
    public static var bytes: Int { status("VmHWM") ?? resourceUsage }

    /// The resident bytes that belong to no file, at this moment; nil where the kernel does not
    /// say.
    public static var anonymousBytes: Int? { status("RssAnon") }

    private static func status(_ field: String) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field + ":") }),
            let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst()
                .first
        else { return nil }
        return Int(kibibytes).map { $0 * 1024 }
    }

    private static var resourceUsage: Int {
        var usage = rusage()
        #if os(Linux)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            return usage.ru_maxrss * 1024
        #else
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        #endif
    }
}
