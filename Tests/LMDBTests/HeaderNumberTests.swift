// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Testing

/// Headers whose transaction number has changed.
@Suite struct HeaderNumberTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Writes commits and returns the bytes of the closed file.
    private func file(commits: Int) throws -> Data {
        try {
            let environment = try scratch.environment()
            let database = try environment.database("objects", .integerKey)
            // Opening the database was a commit.
            for round in 1..<commits {
                try environment.write { (txn) throws in
                    for key in 0..<40 as Range<UInt64> {
                        try txn.put(
                            [UInt8](repeating: UInt8(round), count: 100), for: key + 1,
                            in: database)
                    }
                }
            }
            #expect(environment.lastTransactionID == UInt64(commits))
        }()
        return try Data(contentsOf: URL(fileURLWithPath: scratch.path()))
    }

    /// Every number of commits from 1 to 12, each bit of the number in each header: the change is
    /// found, or the newest commit is shown all the same.
    @Test(arguments: 1...12) func noChangedNumberShowsTheCommitBefore(commits: Int) throws {
        let whole = try file(commits: commits)
        let page = try scratch.environment().pageSizeBytes
        var refused = 0
        for (header, bit) in [0, 1].flatMap({ header in (0..<64).map { (header, $0) } }) {
            var data = whole
            data[header * page + 144 + bit / 8] ^= 1 << UInt8(bit % 8)
            let name = "flipped \(header) \(bit)"
            try data.write(to: URL(fileURLWithPath: scratch.path(name)))
            do {
                let environment = try scratch.environment(name)
                try environment.verifyPages()
                // What was changed is the number of the commit before, to a lower one or not.
                #expect(environment.lastTransactionID == UInt64(commits), "bit \(bit) of \(header)")
            } catch let error as LMDBError {
                #expect([.corrupted, .foreign, .truncated].contains(error.code), "\(error)")
                refused += 1
            }
            try FileManager.default.removeItem(atPath: scratch.path(name))
        }
        // All bits of the newest number, and those of the other one that make it newer.
        #expect(refused >= 64 + 58, "\(refused)")
    }

    @Test func copiesAndFilesWithoutCommitsAreFine() throws {
        try scratch.environment("empty").verifyPages()
        _ = try file(commits: 7)
        try scratch.environment().copy(to: scratch.path("copy"))
        let copy = try scratch.environment("copy")
        try copy.verifyPages()
        for round in 1...3 as ClosedRange<UInt64> {
            let database = try copy.database("objects", .integerKey)
            try copy.write { _ = try $0.put([1], for: round, in: database) }
            try copy.verifyPages()
        }
    }
}
