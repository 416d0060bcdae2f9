// SPDX-License-Identifier: Apache-2.0

import Schema
import Store
import Testing
import _TestSupport

@Suite struct LinkTests {
    /// Tags and notes, linked both ways.
    private static func withStore(_ body: (Store) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            let schema = try Schema(entities: [
                Entity(
                    name: "Note",
                    relationships: [
                        Relationship(
                            name: "tags", destination: "Tag", inverse: "notes", isToMany: true),
                        Relationship(name: "next", destination: "Note"),
                        Relationship(
                            name: "marks", destination: "Tag", isToMany: true, isTransient: true),
                    ]),
                Entity(
                    name: "Tag",
                    relationships: [
                        Relationship(
                            name: "notes", destination: "Note", inverse: "tags", isToMany: true)
                    ]),
            ])
            try body(try openStore(directory + "/a.lode", schema))
        }
    }

    @Test func bothDirectionsOverManyPages() throws {
        try Self.withStore { store in
            let tags = try #require(store.table("Note").relationship(named: "tags"))
            let notes = try #require(store.table("Tag").relationship(named: "notes"))
            let (note, others) = try store.write { save in
                let note = try save.insert("Note", [:])
                var others: [ObjectKey] = []
                for _ in 0..<3_000 { others.append(try save.insert("Tag", [:])) }
                var random = SeededGenerator(seed: 81)
                for tag in others.shuffled(using: &random) {
                    save.link(note, to: tag, tags)
                    save.link(tag, to: note, notes)
                }
                return (note, others)
            }
            let snapshot = try store.makeSnapshot()
            #expect(try Array(snapshot.destinations(of: note, tags)) == others)
            #expect(try snapshot.destinationCount(of: note, tags) == 3_000)
            for tag in others {
                #expect(try Array(snapshot.destinations(of: tag, notes)) == [note])
            }
            try store.write { save in
                let count = try save.destinations(of: note, tags).count
                #expect(count == 3_000)
                for tag in others.dropFirst() {
                    save.unlink(note, from: tag, tags)
                    save.unlink(tag, from: note, notes)
                }
            }
            try snapshot.move()
            #expect(try Array(snapshot.destinations(of: note, tags)) == [others[0]])
            #expect(try snapshot.destinations(of: others[1], notes).isEmpty)
            #expect(try snapshot.destinationCount(of: others[1], notes) == 0)
        }
    }

    @Test func relationshipsWithoutADatabase() throws {
        try Self.withStore { store in
            let table = try store.table("Note")
            let next = try #require(table.relationship(named: "next"))
            let marks = try #require(table.relationship(named: "marks"))
            let tags = try #require(table.relationship(named: "tags"))
            #expect(!next.isLinked && !marks.isLinked && tags.isLinked)
            #expect(table.relationship(named: "none") == nil)
            let key = try store.write { save in
                let key = try save.insert("Note", [:])
                save.link(key, to: key, next)
                save.unlink(key, from: key, next)
                #expect(try save.destinations(of: key, next).isEmpty)
                return key
            }
            let snapshot = try store.makeSnapshot()
            #expect(try snapshot.destinations(of: key, next).isEmpty)
            #expect(try snapshot.destinationCount(of: key, marks) == 0)
        }
    }

    @Test func unlinkingWhatIsNotLinked() throws {
        try Self.withStore { store in
            let tags = try #require(store.table("Note").relationship(named: "tags"))
            let key = ObjectKey(rawValue: 1 << 48 | 1)
            try store.write { save in
                save.unlink(key, from: key, tags)
                save.link(key, to: ObjectKey(rawValue: 2 << 48 | 5), tags)
                save.link(key, to: ObjectKey(rawValue: 2 << 48 | 5), tags)
            }
            let snapshot = try store.makeSnapshot()
            #expect(try snapshot.destinations(of: key, tags).map(\.description) == ["2/p5"])
            let temporary = ObjectKey(rawValue: key.rawValue | ObjectKey.temporaryBit)
            #expect(try snapshot.destinations(of: temporary, tags).isEmpty)
            #expect(try snapshot.destinationCount(of: temporary, tags) == 0)
        }
    }
}
