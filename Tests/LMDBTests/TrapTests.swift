// SPDX-License-Identifier: Apache-2.0

import LMDB
import Testing

/// Mistakes of a program, which must end it rather than damage data.
@Suite struct TrapTests {
    @Test func aWriteInsideAWriteTraps() async {
        await #expect(processExitsWith: .failure) {
            let scratch = try Scratch()
            let environment = try scratch.environment()
            try environment.write { _ in try environment.write { _ in } }
        }
    }

    @Test func aCopyInsideAWriteTraps() async {
        await #expect(processExitsWith: .failure) {
            let scratch = try Scratch()
            let environment = try scratch.environment()
            try environment.write { _ in try environment.copy(to: scratch.path("copy")) }
        }
    }

    @Test func reservingInADuplicateDatabaseTraps() async {
        await #expect(processExitsWith: .failure) {
            let scratch = try Scratch()
            let environment = try scratch.environment()
            let edges = try environment.database("edges", [.integerKey, .dupSort])
            try environment.write { try $0.putReserving(1, byteCount: 8, in: edges) { _ in } }
        }
    }

    @Test func deletingAPairOfAPlainDatabaseTraps() async {
        await #expect(processExitsWith: .failure) {
            let scratch = try Scratch()
            let environment = try scratch.environment()
            let objects = try environment.database("objects", .integerKey)
            try environment.write { try $0.delete(1, 2, in: objects) }
        }
    }

    @Test func aCursorThatOutlivesItsReadTraps() async {
        await #expect(processExitsWith: .failure) {
            let scratch = try Scratch()
            let environment = try scratch.environment()
            let objects = try environment.database("objects", .integerKey)
            var escaped: Cursor?
            try environment.read { (txn) throws in escaped = try txn.makeCursor(objects) }
            _ = try escaped?.first()
        }
    }

    @Test func aCursorThatOutlivesItsWriteTraps() async {
        await #expect(processExitsWith: .failure) {
            let scratch = try Scratch()
            let environment = try scratch.environment()
            let objects = try environment.database("objects", .integerKey)
            var escaped: WriteCursor?
            try environment.write { (txn) throws in escaped = try txn.makeWriteCursor(objects) }
            _ = try escaped?.first()
        }
    }

    @Test func parkingASnapshotWithACursorTraps() async {
        await #expect(processExitsWith: .failure) {
            let scratch = try Scratch()
            let environment = try scratch.environment()
            let objects = try environment.database("objects", .integerKey)
            let snapshot = try environment.makeSnapshot()
            let cursor = try snapshot.makeCursor(objects)
            snapshot.reset()
            _ = try cursor.first()
        }
    }

    @Test func aDatabaseOfAnotherEnvironmentTrapsInDebugBuilds() async {
        #if DEBUG
            await #expect(processExitsWith: .failure) {
                let scratch = try Scratch()
                let objects = try scratch.environment().database("objects", .integerKey)
                let other = try scratch.environment("other")
                _ = try other.database("objects", .integerKey)
                _ = try other.value(1, in: objects)
            }
        #endif
    }

    @Test func anEmptyDatabaseNameTraps() async {
        await #expect(processExitsWith: .failure) { _ = DatabaseSpec(name: "") }
    }

    @Test func impossibleOptionsTrap() async {
        await #expect(processExitsWith: .failure) {
            _ = try Environment.open(at: "/nowhere", options: testOptions { $0.maxReaders = 0 })
        }
    }
}
