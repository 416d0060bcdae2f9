// SPDX-License-Identifier: Apache-2.0

import Contents
import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

struct Title: CodableComponent, Equatable {
    var text: String
    var tags: [String] = []
    var at: GameObjectID?
}

struct Round: CodableComponent { var number: Int }

struct Corner: ValueComponent, Codable { var number: Int }

/// Codable components in files.
@MainActor
@Suite struct CodableComponentFileTests {
    let fixture: WorldFixture

    init() throws { fixture = try WorldFixture() }

    private func open() throws -> Worlds.World { try Worlds.World(context: fixture.moc) }

    private func verify() throws { try WorldPages(fixture.url).verify() }

    private func contents() throws -> Int { try WorldPages(fixture.url).contentCount() }

    @Test func they_are_saved_with_the_world() throws {
        var ids: [GameObjectID] = []
        do {
            let world = try open()
            ids.append(world.spawn(Place(x: 1, y: 2), Title(text: "Argo", tags: ["old"])))
            ids.append(world.spawn(Title(text: "Beagle", at: ids[0])))
            world[resource: Title.self] = Title(text: "Sea")
            try fixture.moc.save()
            #expect(try contents() == 3)
            world[ids[0], Title.self]?.tags.append("fast")
            world[ids[1], Title.self] = Title(text: "Sea")
            try fixture.moc.save()
            #expect(try contents() == 2)
        }
        try verify()
        try fixture.open()
        let world = try open()
        #expect(world[ids[0], Title.self] == Title(text: "Argo", tags: ["old", "fast"]))
        #expect(world[ids[1], Title.self] == Title(text: "Sea"))
        #expect(world[resource: Title.self] == Title(text: "Sea"))
        #expect(world.query(Place.self, Title.self).objects == [ids[0]])
        #expect(!fixture.moc.hasChanges)
        world.despawn(ids[0])
        world[resource: Title.self] = nil
        world.remove(Title.self, from: ids[1])
        try fixture.moc.save()
        #expect(try contents() == 0)
        try verify()
    }

    @Test func equal_values_are_kept_once() throws {
        let world = try open()
        let ids = world.spawnAll((0..<3_000).map { Title(text: "n\($0 % 10)") })
        try fixture.moc.save()
        #expect(try contents() == 10)
        for id in ids where id.row % 2 == 0 { world[id, Title.self]?.text = "even" }
        for id in ids.suffix(100) { world.despawn(id) }
        try fixture.moc.save()
        #expect(try contents() == 6)
        try verify()
    }

    @Test func rollback_takes_them_back() throws {
        let world = try open()
        let ship = world.spawn(Title(text: "Argo"))
        try fixture.moc.save()
        world[ship, Title.self]?.text = "Beagle"
        fixture.moc.rollback()
        #expect(world[ship, Title.self]?.text == "Argo")
        #expect(!fixture.moc.hasChanges)
        try verify()
    }

    @Test func autosave_writes_them() throws {
        let world = try open()
        world.autosave(every: 2) { Issue.record($0) }
        let ship = world.spawn(Title(text: "0"))
        for tick in 1...5 {
            world[ship, Title.self]?.text = "\(tick)"
            world.advance()
        }
        let other = try Worlds.World(context: fixture.context())
        #expect(other[ship, Title.self]?.text == "4")
        #expect(try contents() == 1)
        try verify()
    }

    @Test func read_only_files_show_them() throws {
        let ship: GameObjectID
        do {
            let world = try open()
            ship = world.spawn(Title(text: "Argo"))
            try fixture.moc.save()
        }
        let first = fixture.container.persistentStoreCoordinator
        try first.remove(try #require(first.persistentStores.first))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: fixture.model)
        _ = try coordinator.addPersistentStore(
            ofType: LodeStoreType, configurationName: nil, at: fixture.url,
            options: [NSReadOnlyPersistentStoreOption: true])
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        let world = try Worlds.World(context: context)
        #expect(world[ship, Title.self]?.text == "Argo")
        world[ship, Title.self]?.text = "Beagle"
        #expect(throws: (any Error).self) { try context.save() }
        context.rollback()
        #expect(world[ship, Title.self]?.text == "Argo")
    }

    @Test func undo_brings_them_back() throws {
        let manager = UndoManager()
        manager.groupsByEvent = false
        fixture.moc.undoManager = manager
        let world = try open()
        let ship = world.spawn(Title(text: "Argo", tags: ["a"]))
        try fixture.moc.save()
        manager.beginUndoGrouping()
        world.undoable("Rename") {
            world[ship, Title.self]?.text = "Beagle"
            world.spawn(Title(text: "new"))
        }
        manager.endUndoGrouping()
        manager.undo()
        #expect(world[ship, Title.self] == Title(text: "Argo", tags: ["a"]))
        #expect(world.count == 1)
        manager.redo()
        #expect(world[ship, Title.self]?.text == "Beagle")
        #expect(world.count == 2)
        try fixture.moc.save()
        try verify()
    }

    @Test func others_see_changes_at_the_next_tick() throws {
        let (mine, theirs) = (fixture.moc, fixture.context())
        let world = try open()
        let ids = world.spawnAll([Title(text: "a"), Title(text: "b")])
        try mine.save()
        let other = try Worlds.World(context: theirs)
        world[ids[0], Title.self]?.text = "a2"
        try mine.save()
        other[ids[1], Title.self]?.text = "b2"
        other.advance()
        #expect(other[ids[0], Title.self]?.text == "a2")
        #expect(other[ids[1], Title.self]?.text == "b2")
        try theirs.save()
        world.advance()
        #expect(world[ids[1], Title.self]?.text == "b2")
        #expect(try contents() == 2)
        try verify()
    }

    @Test(arguments: [true, false])
    func conflicts_are_those_of_one_component(prefersMine: Bool) throws {
        let (mine, theirs) = (fixture.moc, fixture.context())
        let world = try open()
        let ids = world.spawnAll([Title(text: "a"), Title(text: "b")])
        try mine.save()
        let other = try Worlds.World(context: theirs)
        world[ids[0], Title.self]?.text = "mine"
        world[ids[1], Title.self]?.tags = ["both"]
        other[ids[0], Title.self]?.text = "theirs"
        other[ids[1], Title.self]?.tags = ["both"]
        try theirs.save()
        mine.mergePolicy = NSMergePolicy.error
        do {
            try mine.save()
            Issue.record("no conflict")
        } catch let error as CocoaError {
            #expect("\(error)".contains("Title of the game object \(ids[0])"))
        }
        mine.mergePolicy =
            prefersMine
            ? NSMergePolicy.mergeByPropertyObjectTrump : NSMergePolicy.mergeByPropertyStoreTrump
        try mine.save()
        other.advance()
        for seen in [world, other] {
            #expect(seen[ids[0], Title.self]?.text == (prefersMine ? "mine" : "theirs"))
            #expect(seen[ids[1], Title.self] == Title(text: "b", tags: ["both"]))
        }
        #expect(try contents() == 2)
        try verify()
    }

    @Test func deleted_game_objects_take_their_contents_along() throws {
        let world = try open()
        let object = GameObject(context: fixture.moc)
        let id = try object.id(in: world)
        world[id, Title.self] = Title(text: "gone")
        let kept = world.spawn(Title(text: "kept"))
        try fixture.moc.save()
        #expect(try contents() == 2)
        // A context without a world deletes it.
        let other = fixture.context()
        other.delete(try #require(try other.existingObject(with: object.objectID) as? GameObject))
        try other.save()
        #expect(try contents() == 1)
        try verify()
        world.advance()
        #expect(!world.isAlive(id) && world[kept, Title.self]?.text == "kept")
    }

    private func refusal(_ type: any WorldComponent.Type) -> CocoaError? {
        let context = fixture.context()
        let result = Result { try Worlds.World(context: context, components: [type]) }
        guard case .failure(let error) = result else { return nil }
        return error as? CocoaError
    }

    @Test func a_type_that_cannot_read_its_values_is_named() throws {
        struct Other: CodableComponent {
            static let componentName = "Title"
            var text: Int
        }
        struct OtherRound: CodableComponent {
            static let componentName = "Round"
            var number: String
        }
        struct Plain: ValueComponent {
            static let componentName = "Title"
            var number: Int
        }
        struct More: CodableComponent, Equatable {
            static let componentName = "Title"
            var text: String
            var subtitle: String?
        }
        var id = GameObjectID(rawValue: 0)
        do {
            let world = try open()
            id = world.spawn(Title(text: "Argo"))
            world[resource: Round.self] = Round(number: 1)
            try fixture.moc.save()
        }
        let other = try #require(refusal(Other.self))
        #expect(other.code == .persistentStoreIncompatibleVersionHash)
        #expect("\(other)".contains("the component Title of the game object \(id) cannot be read"))
        #expect("\(other)".contains("text: there is a text, and Int is asked for"))
        let plain = try #require(refusal(Plain.self))
        #expect("\(plain)".contains("Title (a codable component)"))
        #expect("\(plain)".contains("Title (8 bytes: number:Int@0)"))
        #expect(refusal(More.self) == nil)
        let turn = try #require(refusal(OtherRound.self))
        #expect("\(turn)".contains("the resource/Round cannot be read as the program's type"))
    }

    @Test func migrations_go_both_ways() throws {
        struct Plain: ValueComponent {
            static let componentName = "Mark"
            var number: Int32
        }
        struct Rich: CodableComponent, Equatable {
            static let componentName = "Mark"
            var texts: [String]
        }
        var id = GameObjectID(rawValue: 0)
        do {
            let world = try open()
            id = world.spawn(Plain(number: 2))
            world[resource: Plain.self] = Plain(number: 1)
            try fixture.moc.save()
        }
        try fixture.open()
        do {
            let world = try Worlds.World(
                context: fixture.moc,
                migrations: [
                    ColumnMigration(from: Plain.self, to: Rich.self) {
                        Rich(texts: Array(repeating: "x", count: Int($0.number)))
                    }
                ])
            #expect(world[id, Rich.self]?.texts == ["x", "x"])
            #expect(world[resource: Rich.self]?.texts == ["x"])
            try fixture.moc.save()
            #expect(try contents() == 2)
            try verify()
        }
        try fixture.open()
        let world = try Worlds.World(
            context: fixture.moc,
            migrations: [
                ColumnMigration(from: Rich.self, to: Plain.self) {
                    Plain(number: Int32($0.texts.count))
                }
            ])
        #expect(world[id, Plain.self]?.number == 2)
        #expect(world[resource: Plain.self]?.number == 1)
        try fixture.moc.save()
        #expect(try contents() == 0)
        try verify()
    }

    @Test func documents_have_their_own_fields() throws {
        let json = WorldJSON(components: Title.self, Corner.self, relationships: Likes.self)
        let world = Worlds.World()
        let ship = world.spawn(Title(text: "Argo", tags: ["a"]), Corner(number: 4))
        world.spawn(Title(text: "Beagle", at: ship))
        world[resource: Title.self] = Title(text: "Sea")
        let data = try json.data(of: world)
        let text = try #require(String(data: data, encoding: .utf8))
        #expect(text.contains("\"text\" : \"Argo\""))
        let same = try open()
        let map = try json.load(data, into: same, ids: .new)
        let new = try #require(map[ship])
        #expect(same[new, Title.self] == Title(text: "Argo", tags: ["a"]))
        let second = try #require(same.query(Title.self).objects.last)
        #expect(same[second, Title.self]?.at == new)
        #expect(same[resource: Title.self]?.text == "Sea")
        try fixture.moc.save()
        try json.load(try json.data(of: same), into: same)
        #expect(!fixture.moc.hasChanges)
    }

    @Test func damage_is_an_error() throws {
        var id = GameObjectID(rawValue: 0)
        do {
            let world = try open()
            id = world.spawn(Title(text: "Argo"))
            try fixture.moc.save()
        }
        let pages = try WorldPages(fixture.url)
        let whole = try pages.firstContent()
        let end = whole.value.count
        for place in [0, 8, 9, end - 1] {
            var wrong = whole.value
            wrong[place] ^= 1
            try pages.setContent(whole.key, wrong)
            let found = #expect(throws: CocoaError.self, "\(place)") { try pages.verify() }
            let message = found?.localizedDescription ?? ""
            #expect(message.contains("component Title of the game object \(id.row)"), "\(message)")
            guard place >= 8 else { continue }
            do {
                _ = try Worlds.World(context: fixture.context())
                Issue.record("byte \(place) was not missed")
            } catch let error as CocoaError {
                #expect(error.code == .persistentStoreOperation)
                #expect("\(error)".contains("the component Title of the game object \(id)"))
            }
            let store = try #require(
                fixture.container.persistentStoreCoordinator.persistentStores.first)
            let unread = #expect(throws: CocoaError.self) {
                try store.forEachComponent(named: "Title") { _, _ in }
            }
            #expect("\(unread as Any)".contains("the component Title of the game object \(id)"))
        }
        try pages.setContent(whole.key, whole.value)
        try pages.verify()
        try pages.setContent(whole.key, nil)
        #expect(throws: (any Error).self) { try pages.verify() }
        #expect(throws: CocoaError.self) { try Worlds.World(context: fixture.context()) }
    }
}
