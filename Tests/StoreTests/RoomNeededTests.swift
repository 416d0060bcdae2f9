// SPDX-License-Identifier: Apache-2.0

import Foundation
import Store
import Testing
import _TestSupport

/// How many objects a reader makes room for, where a file says that it has more or fewer.
@Suite struct RoomNeededTests {
    /// The numbers of 500 films in a file that says `count`.
    private func numbers(_ count: UInt64) throws -> (room: Int, counted: Int, found: Int) {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let number = try {
                let store = try openStore(path, FilmModel.rich())
                try store.write { save in
                    for year in 0..<500 {
                        try save.insert("Film", ["year": .integer16(Int16(year))])
                    }
                }
                return try store.table("Film").number.rawValue
            }()
            var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            #expect(setEntryCount(of: "o.\(number)", to: count, in: &bytes) > 0)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let store = try openStore(path, FilmModel.rich())
            let (films, snapshot) = (try store.table("Film"), try store.makeSnapshot())
            return (
                try snapshot.roomNeeded(for: films), try snapshot.count(of: films),
                try snapshot.objects("Film").count
            )
        }
    }

    @Test func itIsWhatAHealthyFileSays() throws {
        #expect(try numbers(500) == (500, 500, 500))
    }

    @Test(arguments: [0, 1, 499, 501, 700]) func itMayBeWrong(count: Int) throws {
        #expect(try numbers(UInt64(count)) == (count, count, 500))
    }

    @Test(arguments: [1 << 40, 1 << 63, .max] as [UInt64])
    func itIsNoMoreThanThePagesHold(count: UInt64) throws {
        let (room, counted, found) = try numbers(count)
        #expect((500...5_000).contains(room))
        // As many as bytes.
        #expect(counted > 20_000 && counted % 4_096 == 0)
        #expect(found == 500)
    }
}
