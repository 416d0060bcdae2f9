// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a reader needs to judge the numbers: processor, system, commit, build mode.
public enum Machine {
    /// One line that says all of it.
    public static var line: String {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        return "\(processorName) (\(processors) cores), \(systemName), "
            + "commit \(commit), \(BuildMode.current.rawValue) build"
    }

    private static var processorName: String {
        let info = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        let line = info?.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
            ?? "unknown processor"
    }

    private static var systemName: String {
        let release = try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
        guard let release else { return ProcessInfo.processInfo.operatingSystemVersionString }
        return "Linux " + release.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The commit of the source tree, with a mark if files differ from it.
    private static var commit: String {
        let tree = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
        let arguments = ["git", "-C", tree, "describe", "--always", "--dirty"]
        return (try? ChildProcess.output(of: "/usr/bin/env", arguments)) ?? "unknown"
    }
}
