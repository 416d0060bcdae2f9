// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Testing

@testable import ManagedObjects

/// Transactions that are wrong on purpose, in a file that claims to have as many rows.
@Suite struct HostileHistoryTests {
    /// New films from row 1 on, of which one byte each would be 64 TiB.
    private static func changeSet() -> HistoryChangeSet {
        var writer = ByteWriter()
        writer.write(HistoryGroup.inserts.rawValue)
        writer.writeVarint(1)
        writer.writeVarint(3)
        writer.writeVarint((1 << 46) - 1)
        writer.writeVarint(0)
        writer.write(HistoryGroup.end.rawValue)
        return HistoryChangeSet(
            timestamp: 0, firstChange: 1, changeCount: 1 << 46, author: nil, contextName: nil,
            processID: "1", bundleID: "p", changes: writer.bytes)
    }

    @Test func more_changes_than_fit_into_memory_are_refused() async {
        await #expect(processExitsWith: .success) {
            let stack = try Stack.withHistory()
            let owner = try #require(stack.coordinator.persistentStores.first)
            let source = HistorySource(
                owner, try #require(owner.store), stack.coordinator, elsewhere: [:])
            let record = HistoryRecord(source, 7, HostileHistoryTests.changeSet())
            alarm(20)
            let error = #expect(throws: CocoaError.self) { try record.changes() }
            #expect(error?.errorCode == 134070)
            let words = "transaction 7 of the history has 70368744177664 changes, more than fit"
            #expect(error?.message.hasPrefix(words) == true)
        }
    }
}
