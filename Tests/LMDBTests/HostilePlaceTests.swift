// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Testing

/// What others may have put where files are expected.
@Suite struct HostilePlaceTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func make(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path(name)))
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path(name), withDestinationPath: scratch.path(target))
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: scratch.path(name), encoding: .utf8)
    }

    private func codes() -> [LMDBError.Code?] {
        [
            errorCode { _ = try scratch.environment() },
            errorCode { _ = try scratch.environment { $0.isReadOnly = true } },
        ]
    }

    @Test(arguments: ["data.lode-lock", "data.lode-open"])
    func aLinkInPlaceOfACompanionIsNotFollowed(name: String) throws {
        do { _ = try scratch.environment() }
        try? FileManager.default.removeItem(atPath: scratch.path(name))
        for target in ["precious", "missing"] {
            try make("precious", "my letters\n")
            try link(name, to: target)
            #expect(codes() == [.notAFile, .notAFile])
            #expect(try text("precious") == "my letters\n")
            #expect(!FileManager.default.fileExists(atPath: scratch.path("missing")))
            try FileManager.default.removeItem(atPath: scratch.path(name))
        }
        _ = try scratch.environment()
    }

    @Test func aLinkIsNotFollowedWhenAFileIsCreated() throws {
        try make("precious", "my letters\n")
        try link("data.lode-lock", to: "precious")
        let error = error { _ = try scratch.environment() }
        #expect(error?.code == .notAFile)
        #expect(error?.path?.hasSuffix("data.lode-lock") == true)
        #expect(error?.message.hasPrefix("Opening the lock file failed: ") == true)
        #expect(error?.message.contains("this is no regular file. Move it away") == true)
        #expect(try text("precious") == "my letters\n")
        #expect(!FileManager.default.fileExists(atPath: scratch.path()))
    }

    /// A second name of a file cannot be told from the first one, but what is in it can.
    @Test func aFileOfSomebodyElseIsNotTakenForALockFile() throws {
        try make("precious", "my letters\n")
        try FileManager.default.linkItem(
            atPath: scratch.path("precious"), toPath: scratch.path("data.lode-lock"))
        #expect(errorCode { _ = try scratch.environment() } == .foreignLockFile)
        #expect(try text("precious") == "my letters\n")
    }

    /// Nothing is written into it, and it stays where it is.
    @Test func aFileOfSomebodyElseIsNotTakenForAMark() throws {
        let mark = scratch.path("data.lode-open")
        do { _ = try scratch.environment().database("objects", .integerKey) }
        try? FileManager.default.removeItem(atPath: mark)
        try make("precious", "my letters\n")
        try FileManager.default.linkItem(atPath: scratch.path("precious"), toPath: mark)
        do {
            let environment = try scratch.environment()
            let objects = try environment.database("objects", .integerKey)
            for durability in [.full, .none] as [Durability] {
                try environment.write(durability: durability) {
                    try $0.put([1], for: 1, in: objects)
                }
            }
            #expect(try text("precious") == "my letters\n")
            try environment.verifyPages()
            #expect(try environment.value(1, in: objects) == [1])
        }
        #expect(try text("precious") == "my letters\n")
        #expect(try text("data.lode-open") == "my letters\n")
    }

    @Test(arguments: ["data.lode", "data.lode-lock", "data.lode-open"])
    func aPipeIsRefusedAndNotWaitedFor(name: String) throws {
        if name != "data.lode" { do { _ = try scratch.environment() } }
        unlink(scratch.path(name))
        #expect(mkfifo(scratch.path(name), 0o644) == 0)
        #expect(codes() == [.notAFile, .notAFile])
    }

    @Test func devicesAndSocketsAreRefused() throws {
        #expect(errorCode { _ = try Environment.open(at: "/dev/null") } == .notAFile)
        #expect(errorCode { _ = try Environment.open(at: "/dev/zero") } == .notAFile)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        // A name relative to the folder, as the address has room for 108 bytes.
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let short = NSTemporaryDirectory() + "s\(getpid())"
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: short.utf8) }
        defer { unlink(short) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(status == 0)
        #expect(errorCode { _ = try Environment.open(at: short) } == .notAFile)
    }

    @Test func aCopyDoesNotFollowALink() throws {
        let environment = try scratch.environment()
        try make("precious", "my letters\n")
        try link("copy", to: "precious")
        #expect(
            errorCode { try environment.copy(to: scratch.path("copy")) }
                == .init(rawValue: EEXIST))
        #expect(try text("precious") == "my letters\n")
    }

    @Test func theDataFileIsNotHandedToOtherPrograms() throws {
        let environment = try scratch.environment()
        defer { withExtendedLifetime(environment) {} }
        let canonical = environment.path
        var count = 0
        // All that are open: tests beside this one may have taken the low numbers.
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            let link = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(name)")
            guard link?.hasPrefix(canonical) == true, let descriptor = Int32(name) else { continue }
            count += 1
            #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        }
        #expect(count >= 3)
    }
}
