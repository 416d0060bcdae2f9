// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Testing

/// Users who may read a file, and write neither it nor its folder.
///
/// In processes of their own, as another user if the tests are run by one who may do everything.
@Suite struct WithoutLocksTests {
    let scratch: Scratch
    /// Where both sides may write.
    let signals: Scratch

    init() throws {
        scratch = try Scratch()
        signals = try Scratch()
        #expect(chmod(signals.folder, 0o777) == 0)
    }

    private func fill(_ value: UInt8, _ environment: Environment) throws {
        let objects = try environment.database("objects", .integerKey)
        try environment.write { transaction in
            for key in 0..<200 as Range<UInt64> {
                try transaction.put([UInt8](repeating: value, count: 500), for: key, in: objects)
            }
        }
    }

    private func protect() {
        chmod(scratch.folder, 0o555)
        chmod(scratch.path(), 0o444)
        chmod(scratch.path("data.lode-lock"), 0o444)
    }

    private func unprotect() { chmod(scratch.folder, 0o755) }

    @Test(arguments: [false, true])
    func aFileIsReadWithoutItsLockFile(isThere: Bool) async throws {
        do { try fill(1, try scratch.environment()) }
        if !isThere { unlink(scratch.path("data.lode-lock")) }
        protect()
        defer { unprotect() }
        await #expect(processExitsWith: .success) { [path = scratch.path() as String] in
            becomeNobody()
            #expect(
                errorCode { _ = try Environment.open(at: path, options: testOptions()) }
                    == .init(rawValue: EACCES))
            let environment = try Environment.open(
                at: path, options: testOptions { $0.isReadOnly = true })
            #expect(environment.isWithoutLocks)
            try environment.verifyPages()
            let objects = try environment.database("objects", .integerKey)
            #expect(try environment.value(199, in: objects)?.first == 1)
            let snapshot = try environment.makeSnapshot()
            #expect(try snapshot.entryCount(objects) == 200)
        }
        #expect(FileManager.default.fileExists(atPath: scratch.path("data.lode-lock")) == isThere)
    }

    @Test func whoMayWriteTheLockFileUsesIt() throws {
        do { try fill(1, try scratch.environment()) }
        #expect(try !scratch.environment { $0.isReadOnly = true }.isWithoutLocks)
    }

    @Test func nobodyReadsWithoutLocksWhileSomebodyWrites() async throws {
        guard geteuid() == 0 else { return print("skipped: needs two users") }
        let environment = try scratch.environment()
        try fill(1, environment)
        await #expect(processExitsWith: .success) { [path = scratch.path() as String] in
            becomeNobody()
            let error = error {
                _ = try Environment.open(at: path, options: testOptions { $0.isReadOnly = true })
            }
            #expect(error?.code == .cannotLock)
            #expect(error?.message.contains("another process writes to the data file") == true)
        }
        withExtendedLifetime(environment) {}
    }

    @Test func aWriterThatComesLaterKeepsWhatIsRead() async throws {
        guard geteuid() == 0 else { return print("skipped: needs two users") }
        do { try fill(1, try scratch.environment()) }
        let (path, folder) = (scratch.path(), signals.folder)
        async let reading: Void = WithoutLocksTests.read(path, folder)
        while !FileManager.default.fileExists(atPath: signals.path("ready")) {
            try await Task.sleep(for: .milliseconds(2))
        }
        // Once more for each page that might be used again.
        let environment = try scratch.environment()
        for value in 2..<40 as Range<UInt8> { try fill(value, environment) }
        #expect(FileManager.default.createFile(atPath: signals.path("written"), contents: nil))
        await reading
        // The reader is gone, and its pages are used again some commits later; each commit would
        // else add what it writes.
        let before = environment.info.usedBytes
        for _ in 0..<600 { try fill(3, environment) }
        #expect(environment.info.usedBytes < before * 3)
    }

    private static func read(_ path: String, _ signals: String) async {
        await #expect(processExitsWith: .success) {
            [path = path as String, signals = signals as String] in
            becomeNobody()
            let environment = try Environment.open(
                at: path, options: testOptions { $0.isReadOnly = true })
            let objects = try environment.database("objects", .integerKey)
            let snapshot = try environment.makeSnapshot()
            #expect(FileManager.default.createFile(atPath: signals + "/ready", contents: nil))
            while !FileManager.default.fileExists(atPath: signals + "/written") { usleep(2000) }
            for key in 0..<200 as Range<UInt64> {
                #expect(try snapshot.get(key, in: objects)?.allSatisfy { $0 == 1 } == true)
            }
            #expect(errorCode { try snapshot.renew() } == .cannotLock)
            #expect(errorCode { _ = try environment.value(1, in: objects) } == .cannotLock)
        }
    }
}

/// Gives up root's rights, if the process has them.
func becomeNobody() {
    guard geteuid() == 0 else { return }
    #expect(setegid(65_534) == 0 && seteuid(65_534) == 0)
}
