// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a reader needs to judge the numbers: processor, memory, system, file system, compiler,
/// commit, build mode.
public enum Machine {
    /// All of it.
    public struct Description: Sendable, Encodable, CustomStringConvertible {
        let processor: String
        let coreCount: Int
        let memory: String
        let system: String
        let fileSystem: String
        let compiler: String
        let commit: String
        let build: String

        /// One line that says all of it.
        public var description: String {
            "\(processor) (\(coreCount) cores, \(memory)), \(system), \(fileSystem), \(compiler), "
                + "commit \(commit), \(build) build"
        }
    }

    /// This machine, with the file system that a directory lies on.
    public static func description(of directory: String) -> Description {
        Description(
            processor: processorName, coreCount: ProcessInfo.processInfo.activeProcessorCount,
            memory: memory, system: systemName, fileSystem: fileSystem(of: directory),
            compiler: compiler, commit: commit, build: BuildMode.current.rawValue)
    }

    private static var processorName: String {
        let info = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        let line = info?.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
            ?? "unknown processor"
    }

    private static var memory: String {
        let bytes = Double(ProcessInfo.processInfo.physicalMemory)
        return "\(Int((bytes / Double(1 << 30)).rounded())) GiB"
    }

    /// The compiler that is installed, which is the one of this build if nobody has changed it.
    private static var compiler: String {
        let text = try? ChildProcess.output(of: "/usr/bin/env", ["swift", "--version"])
        let words = text?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
        guard let position = words.firstIndex(of: "version"), position + 1 < words.count else {
            return "unknown compiler"
        }
        return "Swift " + words[position + 1]
    }

    private static var systemName: String {
        let release = try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
        guard let release else { return ProcessInfo.processInfo.operatingSystemVersionString }
        return "Linux " + release.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The kind of the file system, by the longest mount point above a directory.
    private static func fileSystem(of directory: String) -> String {
        let path = URL(fileURLWithPath: directory).resolvingSymlinksInPath().path
        let mounts = (try? String(contentsOfFile: "/proc/mounts", encoding: .utf8)) ?? ""
        var nearest = (depth: 0, kind: "unknown file system")
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ").map(String.init)
            guard fields.count > 2 else { continue }
            let (point, kind) = (fields[1], fields[2])
            let isAbove = point == "/" || path == point || path.hasPrefix(point + "/")
            // Of two mounts at one place the later one is seen.
            if isAbove, point.count >= nearest.depth { nearest = (point.count, kind) }
        }
        return nearest.kind
    }

    /// The commit of the source tree, with a mark if files differ from it.
    private static var commit: String {
        let tree = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
        let arguments = ["git", "-C", tree, "describe", "--always", "--dirty"]
        return (try? ChildProcess.output(of: "/usr/bin/env", arguments)) ?? "unknown"
    }
}
