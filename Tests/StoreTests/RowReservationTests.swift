// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store
import Synchronization
import Testing
import _TestSupport

/// Rows that are handed out before their objects are written: no row is given twice.
@Suite final class RowReservationTests {
    private let directory: URL
    private let path: String
    private let store: Store

    init() throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("RowReservationTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.appendingPathComponent("store.lode").path
        store = try openStore(path, FilmModel.rich(), .fast.unsealed)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    private func film() throws -> EntityTable { try store.table("Film") }

    @Test func one_commit_reserves_a_block() throws {
        let before = store.lastTransactionID
        var rows: [UInt64] = []
        var commits: [UInt64] = []
        for _ in 0..<320 {
            let (row, transactionID) = try store.reserveRow(in: film())
            rows.append(row)
            if let transactionID { commits.append(transactionID) }
        }
        #expect(rows == Array(1...320))
        // One row and 64 more, then one and 256 more.
        #expect(commits == [before + 1, before + 2])
        #expect(store.lastTransactionID == before + 2)
    }

    @Test func many_rows_at_once_follow_each_other() throws {
        let person = try store.table("Person")
        #expect(try store.reserveRows([(film(), 10), (person, 100)]).first == [1, 1])
        let (first, transactionID) = try store.reserveRows([(film(), 64), (person, 64)])
        #expect(first == [11, 101] && transactionID == nil)
        #expect(try store.reserveRows([(film(), 1_000), (person, 1)]).first == [75, 165])
        #expect(try store.reserveRow(in: film()).row == 1_075)
        // More than the 256 that are left of persons: those are the beginning.
        #expect(try store.reserveRows([(person, 300)]).first == [166])
    }

    @Test func saves_go_on_where_reservations_end() throws {
        #expect(try store.reserveRow(in: film()).row == 1)
        let rows = try store.write { save in
            [try save.allocateRows(10, in: film()), try save.allocateRows(1, in: film())]
        }
        #expect(rows == [2, 12])
        #expect(try store.reserveRow(in: film()).row == 13)
        // More than the rest of the block, 14 to 65.
        #expect(try store.write { try $0.allocateRows(1_000, in: film()) } == 14)
        #expect(try store.reserveRow(in: film()).row == 1_014)
    }

    @Test func many_small_saves_reserve_a_block() throws {
        for row in 1...32 as ClosedRange<UInt64> {
            #expect(try store.write { try $0.allocateRows(1, in: film()) } == row)
        }
        #expect(try store.write { try $0.allocateRows(2, in: film()) } == 33)
        // From the block: nothing is written, so nothing is committed.
        let before = store.lastTransactionID
        for row in 35...98 as ClosedRange<UInt64> {
            #expect(try store.write { try $0.allocateRows(1, in: film()) } == row)
        }
        #expect(store.lastTransactionID == before)
        #expect(try store.write { try $0.allocateRows(1, in: film()) } == 99)
        #expect(store.lastTransactionID == before + 1)
        // More than the block has: rows go on, and no block is reserved.
        #expect(try store.write { try $0.allocateRows(200, in: film()) } == 100)
        #expect(try store.write { try $0.allocateRows(1, in: film()) } == 300)
    }

    @Test func rows_of_one_transaction_follow_each_other() throws {
        let many = try store.write { save in
            try (0..<100).map { _ in try save.allocateRows(1, in: film()) }
        }
        #expect(many == Array(1...100))
        for _ in 1...31 { _ = try store.write { try $0.allocateRows(1, in: film()) } }
        let rows = try store.write { save in
            try [1, 3, 100, 1].map { try save.allocateRows($0, in: film()) }
        }
        // The block is 133 to 196, which a hundred rows do not fit into.
        #expect(rows == [132, 133, 136, 236])
        #expect(try store.write { try $0.allocateRows(1, in: film()) } == 237)
    }

    @Test func a_save_that_fails_reserves_no_block() throws {
        struct Failure: Error {}
        for _ in 1...32 { _ = try store.write { try $0.allocateRows(1, in: film()) } }
        #expect(throws: Failure.self) {
            try store.write { save in
                _ = try save.allocateRows(1, in: film())
                throw Failure()
            }
        }
        #expect(try store.write { try $0.allocateRows(1, in: film()) } == 33)
        #expect(try store.write { try $0.allocateRows(1, in: film()) } == 34)
    }

    /// Another program that saves in between would overtake each block.
    @Test func overtaken_blocks_are_not_reserved_again_and_again() throws {
        let other = try openStore(path, FilmModel.rich(), .fast.unsealed)
        for _ in 1...33 { _ = try store.write { try $0.allocateRows(1, in: film()) } }
        // 34 to 97 belong to the first store, which cannot append them any more.
        #expect(try other.write { try $0.allocateRows(1, in: other.table("Film")) } == 98)
        for row in stride(from: 99, to: 161, by: 2) as StrideTo<UInt64> {
            #expect(try store.write { try $0.allocateRows(1, in: film()) } == row)
            #expect(try other.write { try $0.allocateRows(1, in: other.table("Film")) } == row + 1)
        }
        // Alone again, it reserves one after a while.
        for row in 161...163 as ClosedRange<UInt64> {
            #expect(try store.write { try $0.allocateRows(1, in: film()) } == row)
        }
        let before = store.lastTransactionID
        #expect(try store.write { try $0.allocateRows(1, in: film()) } == 164)
        #expect(store.lastTransactionID == before)
    }

    @Test func a_failed_save_wastes_its_rows() throws {
        struct Failure: Error, Equatable { let row: UInt64 }
        _ = try store.reserveRow(in: film())
        #expect(throws: Failure(row: 2)) {
            try store.write { save in throw Failure(row: try save.allocateRows(3, in: film())) }
        }
        #expect(try store.reserveRow(in: film()).row == 5)
        #expect(throws: Failure(row: 6)) {
            try store.write { save in throw Failure(row: try save.allocateRows(500, in: film())) }
        }
        // The counter is where it was; the rest of the block went with the save.
        #expect(try store.reserveRow(in: film()).row == 66)
    }

    @Test func rows_that_are_left_are_lost() throws {
        _ = try store.reserveRow(in: film())
        let other = try Store.open(
            at: path, schema: nil, uuid: FilmModel.uuid, options: .fast)
        let table = try other.table("Film")
        #expect(try other.write { try $0.allocateRows(1, in: table) } == 66)
        #expect(try other.reserveRow(in: table).row == 67)
    }

    @Test func another_store_object_has_a_block_of_its_own() throws {
        let other = try openStore(path, nil)
        let table = try other.table("Film")
        #expect(try store.reserveRow(in: film()).row == 1)
        #expect(try other.reserveRow(in: table).row == 66)
        #expect(try store.reserveRow(in: film()).row == 2)
        #expect(try other.reserveRow(in: table).row == 67)
        // The other store has rows behind those of the block: a save goes behind them.
        #expect(try store.write { try $0.allocateRows(1, in: film()) } == 131)
        #expect(try store.reserveRow(in: film()).row == 3)
        #expect(try other.write { try $0.allocateRows(1, in: table) } == 132)
        #expect(try other.reserveRows([(table, 100)]).first == [133])
    }

    @Test func objects_of_reserved_rows_come_in_any_order() throws {
        let other = try openStore(path, nil)
        let number = try film().number
        let early = ObjectKey(entity: number, row: try store.reserveRow(in: film()).row)
        let late = ObjectKey(
            entity: number, row: try other.reserveRow(in: other.table("Film")).row)
        try other.write { try $0.insert(late, ["year": .integer16(2)]) }
        try store.write { try $0.insert(early, ["year": .integer16(1)]) }
        let snapshot = try store.makeSnapshot()
        #expect(try snapshot.scan("Film", 0) == [early, late])
    }

    @Test func threads_never_get_the_same_row() throws {
        let stores = [store, try openStore(path, nil)]
        // Threads add what they got.
        let found = Mutex<[UInt64]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            let store = stores[thread % 2]
            var rows: [UInt64] = []
            for turn in 0..<500 {
                guard let table = store.table(named: "Film") else { continue }
                let row =
                    turn % 50 == 0
                    ? try? store.write { try $0.allocateRows(1, in: table) }
                    : try? store.reserveRow(in: table).row
                if let row { rows.append(row) }
            }
            found.withLock { $0 += rows }
        }
        let rows = found.withLock { $0 }
        #expect(rows.count == 4_000)
        #expect(Set(rows).count == 4_000)
    }

    @Test func two_processes_never_get_the_same_row() async throws {
        let list = directory.appendingPathComponent("rows").path
        var rows: [UInt64] = []
        for _ in 0..<100 { rows.append(try store.reserveRow(in: film()).row) }
        // A process that asks while this one has a part of a block left, and is killed then.
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, list = list as String] in
            let store = try Store.open(
                at: path, schema: nil, uuid: FilmModel.uuid, options: StoreOptions())
            let table = try #require(store.table(named: "Film"))
            let rows = try (0..<100).map { _ in try store.reserveRow(in: table).row }
            try Data(rows.map(String.init).joined(separator: " ").utf8)
                .write(to: URL(fileURLWithPath: list))
            _ = kill(getpid(), SIGKILL)
        }
        let others = try String(contentsOfFile: list, encoding: .utf8).split(separator: " ")
            .compactMap { UInt64($0) }
        for _ in 0..<1_000 { rows.append(try store.reserveRow(in: film()).row) }
        rows.append(try store.write { try $0.allocateRows(1, in: film()) })
        #expect(others.count == 100)
        #expect(Set(rows).count == 1_101)
        #expect(Set(rows).isDisjoint(with: others))
    }

    @Test func a_file_that_cannot_be_written_gives_no_rows() throws {
        var options = StoreOptions.fast
        options.isReadOnly = true
        let copy = directory.appendingPathComponent("copy.lode").path
        try store.copy(to: copy)
        let reader = try openStore(copy, nil, options)
        let error = storeError { _ = try reader.reserveRow(in: reader.table("Film")) }
        #expect(error?.code == .readOnly)
    }

    @Test func the_last_rows_are_given_and_no_more() throws {
        let next = UInt64(1 << 47) - 3
        try RawFile(path).setMeta(
            "row/1", (0..<8).map { UInt8(truncatingIfNeeded: next >> UInt64(8 * $0)) })
        #expect(try store.reserveRow(in: film()).row == next)
        #expect(try store.reserveRow(in: film()).row == next + 1)
        let error = storeError { _ = try store.reserveRow(in: film()) }
        #expect(error?.code == .storage)
        #expect(error?.message.hasPrefix("entity Film has used up its") == true)
    }
}
