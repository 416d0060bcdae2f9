// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// An HTTP server on the loopback address, at a port that the system chooses.
///
/// One thread takes one connection after the other; each gets the answer that is set then.
final class LoopbackServer: Sendable {
    /// What a request gets.
    enum Answer: Sendable {
        /// A whole answer.
        case body(String, status: Int = 200)
        /// The whole head, half of the body, then the end of the connection.
        case half(String)
        /// The end of the connection, without a word.
        case silence
    }

    private let socket: Int32
    private let port: UInt16
    private let answer = Mutex(Answer.silence)
    private let count = Mutex(0)

    init() throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw Self.failure() }
        self.socket = socket
        port = try Self.listen(socket)
        Thread.detachNewThread { [self] in serve() }
    }

    /// Ends the thread; connections from now on are refused.
    func stop() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// The address to ask at.
    var url: URL {
        get throws {
            guard let url = URL(string: "http://127.0.0.1:\(port)/api/films/") else {
                throw URLError(.badURL)
            }
            return url
        }
    }

    /// How many requests have come.
    var requestCount: Int { count.withLock { $0 } }

    /// Sets what requests get from now on.
    func set(_ next: Answer) { answer.withLock { $0 = next } }

    private static func failure() -> any Error {
        NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
    }

    private static func listen(_ socket: Int32) throws -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int32 in
                guard bind(socket, address, length) == 0, Glibc.listen(socket, 8) == 0 else {
                    return -1
                }
                return getsockname(socket, address, &length)
            }
        }
        guard result == 0 else { throw failure() }
        return UInt16(bigEndian: address.sin_port)
    }

    private func serve() {
        while true {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else { break }
            if hasRequest(connection) {
                count.withLock { $0 += 1 }
                send(answer.withLock { $0 }, to: connection)
            }
            close(connection)
        }
        close(socket)
    }

    /// Reads to the empty line that ends a request's head.
    private func hasRequest(_ connection: Int32) -> Bool {
        var head: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: head, as: UTF8.self).contains("\r\n\r\n") {
            let size = read(connection, &piece, piece.count)
            guard size > 0 else { return false }
            head += piece[..<size]
        }
        return String(decoding: head, as: UTF8.self).hasPrefix("GET /api/films/ HTTP/1.1\r\n")
    }

    private func send(_ answer: Answer, to connection: Int32) {
        let (body, status, isWhole): (String, Int, Bool) =
            switch answer {
            case .body(let body, let status): (body, status, true)
            case .half(let body): (body, 200, false)
            case .silence: ("", 0, false)
            }
        guard status > 0 else { return }
        let bytes = Array(body.utf8)
        let head =
            "HTTP/1.1 \(status) Status\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(bytes.count)\r\nConnection: close\r\n\r\n"
        var rest = (Array(head.utf8) + bytes[..<(isWhole ? bytes.count : bytes.count / 2)])[...]
        while !rest.isEmpty {
            let size = rest.withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard size > 0 else { return }
            rest = rest.dropFirst(size)
        }
    }
}
