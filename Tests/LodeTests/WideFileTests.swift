// SPDX-License-Identifier: Apache-2.0

import Lode
import RecordFormat
import Schema
import Store
import Testing
import _TestSupport

/// Files that began before version 11, whose slots for texts and bytes are wide.
@Suite struct WideFileTests {
    /// Makes an empty file of an earlier version with the model of another one.
    private static func makeEmpty(_ path: String, likeThatAt other: String) throws {
        let schema = try Store.open(
            at: other, schema: nil, uuid: UUIDValue(high: 0, low: 0), options: StoreOptions()
        ).schema
        var options = StoreOptions()
        options.newFileVersion = 10
        _ = try Store.open(
            at: path, schema: schema, uuid: UUIDValue(high: 1, low: 2), options: options)
    }

    /// Whether all records of a file are narrow; nil where some are and others not.
    private static func isNarrow(_ path: String) throws -> Bool? {
        let store = try Store.open(
            at: path, schema: nil, uuid: UUIDValue(high: 0, low: 0), options: StoreOptions())
        let snapshot = try store.makeSnapshot()
        var found: Set<Bool> = []
        for table in store.tables {
            var cursor = try snapshot.records(of: table)
            while let (_, record) = try cursor.next() { found.insert(record.isNarrow) }
        }
        return found.count == 1 ? found.first : nil
    }

    /// The values of all things, those that a typed property reads and those by name.
    private static func values(_ context: NSManagedObjectContext) throws -> [String] {
        let request = NSFetchRequest<Thing>(entityName: "Thing")
        request.sortDescriptors = [NSSortDescriptor(key: "short", ascending: true)]
        return try context.fetch(request).map { thing in
            let typed = [
                thing.name, "\(thing.short) \(thing.medium) \(thing.long) \(thing.real)",
                "\(thing.single) \(thing.flag) \(thing.price as Any)", "\(thing.day as Any)",
                "\(thing.picture?.count ?? -1) \(thing.note.map(Array.init) as Any)",
                "\(thing.site as Any)", thing.holder?.name ?? "", thing.next?.name ?? "",
            ]
            let named = ["name", "long", "flag", "site", "note"].map {
                thing.value(forKey: $0).map { "\($0)" } ?? "nil"
            }
            return (typed + named).joined(separator: " ")
        }
    }

    private static func values(at path: String) throws -> [String] {
        let url = URL(fileURLWithPath: path)
        let container = try ForeignFile.open(url, verify: "records")
        let context = container.newBackgroundContext()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        let own = try context.performAndWait { try values(context) }
        let inherited = try child.performAndWait { try values(child) }
        #expect(own == inherited)
        return own
    }

    @Test func they_are_read_and_written_as_new_files_are() throws {
        try withTemporaryDirectory { directory throws in
            let (narrow, wide) = (directory + "/new.lode", directory + "/old.lode")
            try ForeignFile.make(at: URL(fileURLWithPath: narrow))
            try Self.makeEmpty(wide, likeThatAt: narrow)
            try ForeignFile.make(at: URL(fileURLWithPath: wide))
            #expect(try Self.isNarrow(narrow) == true)
            #expect(try Self.isNarrow(wide) == false)
            for _ in 0..<2 {
                let values = try Self.values(at: narrow)
                #expect(values.count > 290)
                #expect(try Self.values(at: wide) == values)
                for path in [narrow, wide] {
                    let met = try ForeignFile.use(URL(fileURLWithPath: path), verify: "records")
                    #expect(met > 10_000)
                }
            }
            #expect(try Self.isNarrow(narrow) == true)
            #expect(try Self.isNarrow(wide) == false)
        }
    }

    @Test func a_coordinator_has_files_of_both_kinds() throws {
        try withTemporaryDirectory { directory throws in
            let paths = [directory + "/first.lode", directory + "/second.lode"]
            try ForeignFile.make(at: URL(fileURLWithPath: paths[0]))
            try Self.makeEmpty(paths[1], likeThatAt: paths[0])
            try ForeignFile.make(at: URL(fileURLWithPath: paths[1]))
            for order in [paths, paths.reversed()] {
                let values = try Self.values(at: paths[0])
                let coordinator = NSPersistentStoreCoordinator(
                    managedObjectModel: ForeignModel.make())
                for path in order {
                    try coordinator.addPersistentStore(
                        ofType: LodeStoreType, configurationName: nil,
                        at: URL(fileURLWithPath: path),
                        options: [NSPersistentHistoryTrackingKey: true])
                }
                let context = NSManagedObjectContext(
                    concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                let child = NSManagedObjectContext(
                    concurrencyType: .privateQueueConcurrencyType)
                child.parent = context
                for context in [context, child] {
                    let found = try context.performAndWait { try Self.values(context) }
                    #expect(found.sorted() == (values + values).sorted())
                }
                // A change in a child goes to the file of the object.
                try child.performAndWait {
                    for thing in try child.fetch(NSFetchRequest<Thing>(entityName: "Thing")) {
                        thing.name += "é"
                        thing.medium += 1
                        thing.note = nil
                    }
                    try child.save()
                }
                try context.performAndWait { try context.save() }
            }
            let changed = try Self.values(at: paths[0])
            #expect(changed.count > 290 && changed.allSatisfy { $0.contains("éé ") })
            #expect(try Self.values(at: paths[1]) == changed)
            #expect(try Self.isNarrow(paths[0]) == true)
            #expect(try Self.isNarrow(paths[1]) == false)
        }
    }
}
