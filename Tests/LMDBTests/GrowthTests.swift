// SPDX-License-Identifier: Apache-2.0

import LMDB
import Synchronization
import Testing

@Suite struct GrowthTests {
    let scratch: Scratch
    let environment: Environment
    let objects: Database

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment { $0.initialMapSizeBytes = 128 << 10 }
        objects = try environment.database("objects", .integerKey)
        try environment.write { try $0.put([7], for: 0, in: objects) }
    }

    /// Writes about two megabytes; returns how often the body ran.
    private func writeMuch() throws -> Int {
        var runs = 0
        try environment.write { (txn) throws in
            runs += 1
            for key in 1...500 as ClosedRange<UInt64> {
                try txn.put([UInt8](repeating: 1, count: 3000), for: key, in: objects)
            }
        }
        return runs
    }

    private func checkUsableAndUntouched() throws {
        #expect(try environment.value(0, in: objects) == [7])
        #expect(try environment.read { try $0.entryCount(objects) } == 1)
        try environment.write { try $0.put([8], for: 0, in: objects) }
        #expect(try environment.value(0, in: objects) == [8])
    }

    @Test func growsAndRunsTheWholeBodyAgain() throws {
        #expect(environment.info.mapSizeBytes == 128 << 10)
        #expect(try writeMuch() == 6)
        #expect(environment.info.mapSizeBytes == 4 << 20)
        #expect(try environment.read { try $0.entryCount(objects) } == 501)
        #expect(try environment.value(0, in: objects) == [7])
    }

    @Test func growsEvenIfTheBodyHidesTheError() throws {
        struct Hidden: Error {}
        var runs = 0
        try environment.write { (txn) throws in
            runs += 1
            do {
                try txn.put([UInt8](repeating: 1, count: 1 << 20), for: 1, in: objects)
            } catch {
                throw Hidden()
            }
        }
        #expect(runs > 1)
        runs = 0
        try environment.write { (txn) throws in
            runs += 1
            _ = try? txn.put([UInt8](repeating: 1, count: 6 << 20), for: 2, in: objects)
        }
        #expect(runs > 1)
        #expect(try environment.value(2, in: objects)?.count == 6 << 20)
    }

    @Test func growsWhileCreatingDatabases() throws {
        let scratch = try Scratch()
        let small = try scratch.environment { $0.initialMapSizeBytes = 64 << 10 }
        let specs = (0..<200).map {
            DatabaseSpec(name: "\($0)" + String(repeating: "x", count: 400))
        }
        let made = try small.databases(specs)
        #expect(!made.contains(nil))
        #expect(small.info.mapSizeBytes > 64 << 10)
    }

    @Test func parksASnapshotThatCanBeParked() throws {
        let snapshot = try environment.makeSnapshot()
        let asked = Atomic<Int>(0)
        let weakly = WeakReference(snapshot)
        let counter = Counter()
        snapshot.parkHandler = {
            counter.increment()
            weakly.value?.reset()
            return true
        }
        #expect(try writeMuch() > 1)
        #expect(counter.value == 1)
        #expect(!snapshot.isActive)
        #expect(asked.load(ordering: .relaxed) == 0)
        #expect(errorCode { _ = try snapshot.get(0, in: objects) } == .badTransaction)
        try snapshot.renew()
        #expect(try snapshot.get(0, in: objects).map { Array($0) } == [7])
        #expect(try snapshot.entryCount(objects) == 501)
    }

    @Test func aParkedSnapshotIsNotInTheWay() throws {
        let snapshot = try environment.makeSnapshot()
        snapshot.reset()
        #expect(try writeMuch() > 1)
    }

    @Test func failsClearlyWhereASnapshotHasNoHandler() throws {
        let snapshot = try environment.makeSnapshot()
        let error = error { _ = try writeMuch() }
        #expect(error?.code == .snapshotInUse)
        #expect(error?.message.contains("nothing was lost") == true)
        #expect(try snapshot.get(0, in: objects).map { Array($0) } == [7])
        try checkUsableAndUntouched()
        snapshot.reset()
        #expect(try writeMuch() > 1)
    }

    @Test func failsClearlyWhereAHandlerDeclines() throws {
        let snapshot = try environment.makeSnapshot()
        snapshot.parkHandler = { false }
        #expect(errorCode { _ = try writeMuch() } == .snapshotInUse)
        #expect(snapshot.isActive)
        snapshot.parkHandler = { true }  // says so, but did not park
        #expect(errorCode { _ = try writeMuch() } == .snapshotInUse)
        try checkUsableAndUntouched()
    }

    @Test func failsClearlyInsideARead() throws {
        try environment.read { (txn) throws in
            #expect(errorCode { _ = try writeMuch() } == .snapshotInUse)
            #expect(try txn.get(0, in: objects).map { Array($0) } == [7])
        }
        try checkUsableAndUntouched()
    }

    @Test func theBudgetIsALimitWithAReserve() throws {
        let scratch = try Scratch()
        let small = try scratch.environment { $0.dataBudgetBytes = 1 << 20 }
        let objects = try small.database("objects", .integerKey)
        let value = [UInt8](repeating: 1, count: 4000)
        var written: UInt64 = 0
        let full = error {
            while true {
                try small.write { try $0.put(value, for: written, in: objects) }
                written += 1
            }
        }
        #expect(full?.code == .mapFull)
        #expect(written > 200)
        #expect(small.info.mapSizeBytes == 1 << 20)
        #expect(try small.read { try $0.entryCount(objects) } == Int(written))
        try small.write(usesReserve: true) { (txn) throws in
            for key in 0..<written { try txn.delete(key, in: objects) }
        }
        #expect(try small.read { try $0.entryCount(objects) } == 0)
        #expect(small.info.fileSizeBytes <= (1 << 20) + (64 << 10))
    }

    @Test func whatWasDeletedIsRoomForTheNextWrite() throws {
        let scratch = try Scratch()
        let small = try scratch.environment { $0.dataBudgetBytes = 1 << 20 }
        let objects = try small.database("objects", .integerKey)
        let value = [UInt8](repeating: 1, count: 4000)
        func put(_ keys: Range<UInt64>) throws {
            try small.write { (txn) throws in
                for key in keys { try txn.put(value, for: key, in: objects) }
            }
        }
        var written: UInt64 = 0
        #expect(
            errorCode {
                while true {
                    try put(written..<written + 8)
                    written += 8
                }
            } == .mapFull)
        try small.write(usesReserve: true) { (txn) throws in
            for key in 0..<written / 2 { try txn.delete(key, in: objects) }
        }
        let snapshot = try small.makeSnapshot()
        let reference = WeakReference(snapshot)
        snapshot.parkHandler = {
            reference.value?.reset()
            return true
        }
        try put(1_000..<1_000 + written / 4)
        #expect(!snapshot.isActive)
        #expect(try small.read { try $0.entryCount(objects) } == Int(written / 2 + written / 4))
        #expect(small.info.fileSizeBytes <= (1 << 20) + (64 << 10))
    }
}

/// A reference that does not keep a snapshot alive, for its own handler.
final class WeakReference: @unchecked Sendable {
    // @unchecked: weak references may be read from any thread, and this one is never changed.
    weak var value: Snapshot?

    init(_ value: Snapshot) {
        self.value = value
    }
}

/// A number that several threads may raise.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    var value: Int { number.load(ordering: .sequentiallyConsistent) }

    func increment() {
        number.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }
}
