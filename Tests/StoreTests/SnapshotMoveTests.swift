// SPDX-License-Identifier: Apache-2.0

import Store
import Testing
import _TestSupport

@Suite struct SnapshotMoveTests {
    /// A handler that is wrapped once more with each move would overflow the stack in the end.
    @Test func a_snapshot_that_moved_50_000_times_is_released() throws {
        try withTemporaryDirectory { directory in
            let store = try openStore(directory + "/a.lode", FilmModel.rich())
            var snapshot: StoreSnapshot? = try store.makeSnapshot()
            snapshot?.onRemap { true }
            for _ in 0..<50_000 { try snapshot?.move { _ in } }
            #expect(snapshot?.isActive == true)
            snapshot = nil
            #expect(snapshot == nil)
        }
    }
}
