// SPDX-License-Identifier: Apache-2.0

import Foundation

/// This program in a further process, that works while its parent does.
///
/// They speak in lines: the parent through the child's standard input, the child through its
/// standard output. Used by one thread.
public final class RunningChild {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    /// Starts this program again with other arguments.
    public init(_ arguments: [String]) throws {
        // A child that has ended must not end its parent: writing to it throws then.
        signal(SIGPIPE, SIG_IGN)
        let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        // After an error elsewhere. It has ended before anyone deletes the files that it writes.
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits for the next line that the child prints.
    ///
    /// - Throws: ``BenchmarkError`` when the child ends without one.
    public func readLine() throws -> String {
        while true {
            if let end = unread.firstIndex(of: 0x0A) {
                defer { unread = Data(unread[(end + 1)...]) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else {
                process.waitUntilExit()
                throw BenchmarkError(
                    "the process \((process.arguments ?? []).joined(separator: " ")) ended with "
                        + "status \(process.terminationStatus) instead of answering")
            }
            unread += more
        }
    }

    /// Tells the child something.
    ///
    /// - Throws: ``BenchmarkError`` for more than a line, as a path may be, and the system's error
    ///   when the child has ended.
    public func send(_ line: String) throws {
        guard !line.utf8.contains(0x0A) else {
            throw BenchmarkError("a process cannot be told more than a line: \(line)")
        }
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Waits until the child has ended.
    ///
    /// - Throws: ``BenchmarkError`` when its status is not 0.
    public func finish() throws {
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError("a process ended with status \(process.terminationStatus)")
        }
    }
}

/// The side of the child.
public enum Parent {
    /// Tells the parent something.
    public static func send(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// Waits for a line; nil when the parent is gone.
    ///
    /// Byte by byte: what a buffer holds, ``hasSpoken`` would not see.
    public static func waitForLine() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) == 1 {
            if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    /// Whether the parent has said something that was not read, or is gone.
    public static var hasSpoken: Bool {
        var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) > 0
    }
}
