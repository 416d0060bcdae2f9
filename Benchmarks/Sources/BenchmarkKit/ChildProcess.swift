// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs programs and takes what they print.
public enum ChildProcess {
    /// Runs this program again with other arguments; for figures that need a fresh process.
    public static func outputOfSelf(_ arguments: [String]) throws -> String {
        let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return try output(of: path, arguments)
    }

    /// Runs a program and returns what it wrote to its standard output, trimmed.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - arguments: What it is started with.
    ///   - environment: Variables beside those of this process.
    /// - Throws: ``BenchmarkError`` when the program does not end with status 0.
    public static func output(
        of path: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> String {
        let process = Process()
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError(
                "\(path) \(arguments.joined(separator: " ")) ended with status "
                    + "\(process.terminationStatus); run it by hand to see why")
        }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(
            in: .whitespacesAndNewlines)
    }
}
