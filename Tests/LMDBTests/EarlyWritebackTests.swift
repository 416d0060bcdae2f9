// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite struct EarlyWritebackTests {
    #if os(Linux)
        @Test func worksBesideTheBody() throws {
            let scratch = try Scratch()
            let file = open(scratch.path(), O_RDWR | O_CREAT, 0o600)
            defer { close(file) }
            let (written, rounds) = EarlyWriteback.during(file) { writeback in
                let written = write(file, "abc", 3)
                // The body waits for the other thread, which so cannot have waited for the body.
                while let writeback, writeback.rounds.load(ordering: .relaxed) < 3 {
                    pauseBriefly()
                }
                return (written, writeback?.rounds.load(ordering: .relaxed))
            }
            #expect(written == 3)
            #expect(try #require(rounds) >= 3)
            // The descriptor is still the body's.
            #expect(write(file, "def", 3) == 3)
        }
    #endif

    @Test func aFileThatIsNotOpenIsLeftToTheBody() {
        let found = EarlyWriteback.during(-1) { $0 == nil ? "alone" : "helped" }
        #expect(found == "alone")
    }

    @Test func aSlowWriteIsCommittedWhole() throws {
        let scratch = try Scratch()
        let environment = try scratch.environment()
        let objects = try environment.database("objects", .integerKey)
        try environment.write { (txn) throws in
            let start = monotonicMilliseconds()
            var key: UInt64 = 0
            while key < 2_000 || monotonicMilliseconds() - start < 8 {
                key += 1
                try txn.put(Array(repeating: UInt8(key % 251), count: 500), for: key, in: objects)
            }
        }
        #expect(try environment.value(2_000, in: objects) == Array(repeating: 243, count: 500))
        #expect(try environment.value(1, in: objects) == Array(repeating: 1, count: 500))
    }
}
