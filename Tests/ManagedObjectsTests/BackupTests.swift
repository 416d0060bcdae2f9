// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Copies of a file that stays open and is written.
@Suite(.inBothPlaces) struct BackupTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }
    private var backup: URL { stack.directory.appendingPathComponent("copies/backup.lode") }

    init() throws {
        stack = try Stack(PeopleModel.make())
        for name in ["a", "b", "c"] { context.make("Person", ["name": name]) }
        try context.save()
    }

    /// A coordinator of its own that has the open file read-only, as a backup does.
    private func reader() throws -> (NSManagedObjectContext, NSPersistentStore) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        let store = try coordinator.addPersistentStore(
            ofType: LodeStoreType, configurationName: stack.makeDescription().configuration,
            at: stack.url, options: [NSReadOnlyPersistentStoreOption: true])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return (context, store)
    }

    private func names(at url: URL) throws -> [String] {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        try coordinator.addPersistentStore(
            ofType: LodeStoreType, configurationName: stack.makeDescription().configuration,
            at: url, options: [LodeVerifyOption: "records", LodeDurabilityOption: "none"])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return try names(context)
    }

    private func names(_ context: NSManagedObjectContext) throws -> [String] {
        try context.performAndWait { try context.names("Person", "name != ''") }
    }

    @Test func a_coordinator_reads_what_another_one_writes() throws {
        let (reader, store) = try reader()
        #expect(store.isReadOnly)
        #expect(try names(reader) == ["a", "b", "c"])
        context.make("Person", ["name": "d"])
        try context.save()
        #expect(try names(reader) == ["a", "b", "c", "d"])
        let failure = try reader.performAndWait {
            try reader.named("a", "Person")?.setValue("x", forKey: "name")
            defer { reader.rollback() }
            return code { try reader.save() }
        }
        #expect(failure == 134030)
        #expect(try names(context) == ["a", "b", "c", "d"])
        // The one that writes goes first, and comes back.
        try stack.reopen()
        context.make("Person", ["name": "e"])
        try context.save()
        #expect(try names(reader) == ["a", "b", "c", "d", "e"])
    }

    @Test func a_file_is_saved_elsewhere_while_it_is_open() throws {
        try FileManager.default.createDirectory(
            at: backup.deletingLastPathComponent(), withIntermediateDirectories: true)
        let (reader, store) = try reader()
        try reader.performAndWait {
            let coordinator = try #require(reader.persistentStoreCoordinator)
            let moved = try coordinator.migratePersistentStore(
                store, to: backup, options: nil, withType: LodeStoreType)
            try coordinator.remove(moved)
        }
        context.make("Person", ["name": "d"])
        try context.save()
        #expect(try names(at: backup) == ["a", "b", "c"])
        #expect(try names(at: stack.url) == ["a", "b", "c", "d"])
    }

    @Test func a_backup_is_replaced_by_a_newer_one() throws {
        let coordinator = stack.container.persistentStoreCoordinator
        for name in ["d", "e"] {
            context.make("Person", ["name": name])
            try context.save()
            try coordinator.replacePersistentStore(
                at: backup, withPersistentStoreFrom: stack.url, ofType: LodeStoreType)
        }
        context.make("Person", ["name": "f"])
        try context.save()
        #expect(try names(at: backup) == ["a", "b", "c", "d", "e"])
        // And back, from the backup: the stores of the coordinator are added again.
        try coordinator.replacePersistentStore(
            at: stack.url, withPersistentStoreFrom: backup, ofType: LodeStoreType)
        try stack.reopen()
        #expect(try names(context) == ["a", "b", "c", "d", "e"])
    }
}
