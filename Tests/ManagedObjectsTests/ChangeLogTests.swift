// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing

@testable import ManagedObjects

/// What is known of recent commits, and how long.
@Suite struct ChangeLogTests {
    private let key = ObjectKey(entity: EntityNumber(rawValue: 1), row: 7)

    @Test func commitsWithoutKeysAreForgottenAtLast() {
        let log = ChangeLog()
        for number: UInt64 in 1...20_000 { log.append(number, []) }
        #expect(log.keys(after: 19_990, through: 20_000) == [])
        #expect(log.keys(after: 10, through: 20_000) == nil)
    }

    @Test func nobodyKnowsWhatOthersChanged() {
        let log = ChangeLog()
        log.append(1, [key])
        log.append(foreign: 3, count: 2)
        log.append(4, [key])
        #expect(log.keys(after: 3, through: 4) == [key])
        #expect(log.keys(after: 2, through: 4) == nil)
        #expect(log.keys(after: 0, through: 1) == [key])
        // Eight pages for each of the commits and for the two entries, and one for the key.
        #expect(log.weight(after: 1) == 8 + 16 + 8 + 1)
    }

    @Test func aCommitOfSeveralSavesIsOneCommit() {
        let log = ChangeLog()
        let other = ObjectKey(entity: EntityNumber(rawValue: 1), row: 8)
        log.append(1, [])
        log.append([
            nil, ChangeLog.Note(transactionID: 2, keys: [key]),
            ChangeLog.Note(transactionID: 2, keys: [other]),
        ])
        // These wrote nothing, and the next commit has their number.
        log.append([nil, nil])
        log.append([ChangeLog.Note(transactionID: 3, keys: [])])
        #expect(log.keys(after: 1, through: 3) == [key, other])
        #expect(log.ownChanges(of: [key], through: 3) == [key])
        #expect(log.weight(after: 1) == 8 + 2 + 8)
    }
}
