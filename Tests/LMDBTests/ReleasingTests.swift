// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Foundation
    import LMDB
    import Testing

    /// A file that grows takes the pages of its map out of memory now and then.
    @Suite struct ReleasingTests {
        let scratch: Scratch
        let environment: Environment
        let objects: Database

        init() throws {
            scratch = try Scratch()
            environment = try scratch.environment { $0.durability = .none }
            objects = try environment.database("objects", .integerKey)
        }

        /// Writes about twelve megabytes, a page a value.
        private func write(_ keys: ClosedRange<UInt64>) throws {
            try environment.write { (txn) throws in
                for key in keys {
                    let byte = UInt8(key % 251)
                    try txn.put([UInt8](repeating: byte, count: 3_000), for: key, in: objects)
                }
            }
        }

        private func isWhole(_ keys: ClosedRange<UInt64>) throws -> Bool {
            try environment.read { (txn) throws in
                try keys.allSatisfy { key in
                    try txn.get(key, in: objects)?.allSatisfy { $0 == UInt8(key % 251) } == true
                }
            }
        }

        /// How much of the map is in the process's memory, in bytes.
        private func residentBytes() throws -> Int {
            let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
            let text = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
            var isOfFile = false
            var total = 0
            for line in text.split(separator: "\n") {
                if line.contains("-"), !line.contains(" kB") {
                    isOfFile = line.hasSuffix(scratch.path())
                } else if isOfFile, line.hasPrefix("Rss:") {
                    total += Int(line.split(separator: " ")[1]).map { $0 << 10 } ?? 0
                }
            }
            return total
        }

        @Test func growthReleasesWhatWasRead() throws {
            try write(1...3_000)
            try write(3_001...6_000)
            #expect(try isWhole(1...6_000))
            #expect(try residentBytes() > 20_000_000)
            try write(6_001...9_000)
            try write(9_001...12_000)
            #expect(try residentBytes() < 8_000_000)
            #expect(try isWhole(1...12_000))
        }

        @Test func changesWithoutGrowthKeepWhatWasRead() throws {
            try write(1...3_000)
            try write(3_001...6_000)
            #expect(try isWhole(1...6_000))
            for _ in 0..<40 { try write(1...10) }
            #expect(try residentBytes() > 20_000_000)
        }

        @Test func aSnapshotReadsOn() throws {
            try write(1...3_000)
            let snapshot = try environment.makeSnapshot()
            let value = try #require(try snapshot.get(7, in: objects))
            try environment.write { try $0.put([1], for: 7, in: objects) }
            for start in stride(from: 3_001 as UInt64, through: 12_001, by: 3_000) {
                try write(start...start + 2_999)
            }
            #expect(value.count == 3_000 && value.allSatisfy { $0 == 7 })
            #expect(try environment.value(7, in: objects) == [1])
        }
    }
#endif
