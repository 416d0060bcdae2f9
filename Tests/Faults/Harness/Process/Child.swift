// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Another process of this program, whose output is read line by line.
final class Child {
    /// How a process ended.
    enum Ending: Equatable, CustomStringConvertible {
        case exit(Int32)
        case signal(Int32)
        /// It did not end in time, and was killed for that.
        case hang

        var description: String {
            switch self {
            case .exit(let status): "exit status \(status)"
            case .signal(let number): "signal \(number)"
            case .hang: "a hang"
            }
        }
    }

    struct CannotStart: Error, CustomStringConvertible {
        let description: String
    }

    private let identifier: pid_t
    private let output: Int32
    private var buffer: [UInt8] = []
    private var isAtEnd = false
    /// Lines that are no part of the protocol: messages of traps, warnings.
    private(set) var remarks: [String] = []

    /// Why the process ended, as far as it has said so.
    var complaint: String {
        let said = remarks.filter { $0.contains("Fatal error") || $0.hasPrefix("error ") }
        return (said + remarks).prefix(said.isEmpty ? 5 : said.count).map { $0.prefix(1_000) }
            .joined(separator: "\n")
    }

    /// Starts a program; its standard output and error are read here.
    init(_ program: String, _ arguments: [String]) throws {
        (identifier, output) = try Self.starting.withLock { _ in
            try Self.start(program, arguments)
        }
    }

    // A process that is started between making a pipe and marking it would keep it open.
    private static let starting = Mutex(())

    private static func start(_ program: String, _ arguments: [String]) throws -> (pid_t, Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw CannotStart(description: "pipe: errno \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var child: pid_t = 0
        var settings: [UnsafeMutablePointer<CChar>?] = ProcessInfo.processInfo.environment.map {
            strdup("\($0.key)=\($0.value)")
        }
        defer { for setting in settings { free(setting) } }
        settings.append(nil)
        let status = posix_spawn(&child, program, &actions, nil, words, settings)
        close(ends[1])
        guard status == 0 else {
            close(ends[0])
            throw CannotStart(description: "\(program): errno \(status)")
        }
        return (child, ends[0])
    }

    deinit { close(output) }

    func kill() { end(identifier) }

    /// Keeps a line that is no part of the protocol.
    func note(_ line: String) { remarks.append(line) }

    /// The next line; nil at the end of the output, or when the time is over.
    ///
    /// - Parameter milliseconds: How long to wait; nil for ever.
    func line(within milliseconds: Int? = nil) -> String? {
        let limit = milliseconds.map { Clock.now + $0 * 1_000 }
        while true {
            if let place = buffer.firstIndex(of: 10) {
                let line = String(decoding: buffer[..<place], as: UTF8.self)
                buffer.removeFirst(place + 1)
                return line
            }
            if isAtEnd {
                defer { buffer = [] }
                return buffer.isEmpty ? nil : String(decoding: buffer, as: UTF8.self)
            }
            let rest = limit.map { max(0, $0 - Clock.now) / 1_000 } ?? -1
            var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, Int32(rest)) > 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(output, &bytes, bytes.count)
            if count <= 0 { isAtEnd = true } else { buffer += bytes[..<count] }
        }
    }

    /// Reads to the end and waits for the process.
    ///
    /// - Parameters:
    ///   - seconds: How long the process may take; then it is killed.
    ///   - read: Gets each line; false for one that is no part of the protocol.
    func finish(within seconds: Int, _ read: (String) -> Bool) -> Ending {
        let limit = Clock.now + seconds * 1_000_000
        while let line = self.line(within: max(0, limit - Clock.now) / 1_000) {
            if !read(line) { remarks.append(line) }
        }
        let isHanging = !isAtEnd
        if isHanging { kill() }
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        if isHanging { return .hang }
        let number = status & 0x7F
        return number == 0 ? .exit((status >> 8) & 0xFF) : .signal(number)
    }
}

private func end(_ identifier: pid_t) { _ = kill(identifier, SIGKILL) }

/// Microseconds of a clock that only goes forward.
enum Clock {
    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }
}

/// Writes a line to the standard output at once.
func say(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
    }
}
