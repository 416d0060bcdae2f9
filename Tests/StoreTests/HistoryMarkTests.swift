// SPDX-License-Identifier: Apache-2.0

import Testing
import _TestSupport

@testable import Store

/// Files that get a history, and those who do not know of it.
@Suite struct HistoryMarkTests {
    @Test func oldFilesGetOneWhenAsked() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try openStore(path, FilmModel.sample(), .fast.unsealed).commit(2)
            #expect(try RawFile(path).meta("lode")?[4..<8] == [1, 0, 1, 0])
            try {
                let store = try openStore(path, FilmModel.sample(), .tracking)
                #expect(try store.historyRange() == HistoryRange(first: 1, last: 0))
                try store.commit(1)
                #expect(try store.history() == ["1: +2/p3"])
            }()
            #expect(
                try RawFile(path).meta("lode")
                    == HexSamples.ofFileFormat().samples["header-epoch"])
        }
    }

    @Test func readOnlyWithoutTheOption() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try openStore(path, FilmModel.sample(), .tracking).commit(1)
            let store = try openStore(path, FilmModel.sample())
            #expect(store.isReadOnly)
            #expect(try store.history() == ["1: +2/p1"])
            let error = storeError { try store.commit(1) }
            #expect(error?.code == .readOnly)
            #expect(
                error?.message
                    == "the store keeps a history and was opened read-only or without one; open it "
                    + "for writing and with its history to save")
        }
    }

    @Test func readOnlyFilesGetNone() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try openStore(path, FilmModel.sample()).commit(1)
            var options = StoreOptions.tracking
            options.isReadOnly = true
            let store = try openStore(path, FilmModel.sample(), options)
            #expect(!store.hasHistory)
            #expect(!store.tracksHistory)
        }
    }
}
