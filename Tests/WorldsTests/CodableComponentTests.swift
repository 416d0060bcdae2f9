// SPDX-License-Identifier: Apache-2.0

import Contents
import Testing
import Worlds

private struct Name: CodableComponent, Equatable {
    var text: String
    var tags: [String] = []
}

private struct Squad: CodableComponent, Equatable {
    var leader: GameObjectID?
    var members: [GameObjectID] = []
    var ranks: [String: GameObjectID] = [:]
}

private enum Mood: CodableComponent, Equatable {
    case calm
    case angry(at: GameObjectID)
}

private struct Spot: ValueComponent, Equatable { var x: Int32 }

/// Components of any `Codable` type in a world in memory.
@Suite struct CodableComponentTests {
    private let world = World()

    @Test func valuesAreSetReadAndRemoved() {
        let ship = world.spawn(Name(text: "Argo"), Spot(x: 1))
        let empty = world.spawn()
        #expect(world[ship, Name.self] == Name(text: "Argo"))
        #expect(world.has(Name.self, ship) && !world.has(Name.self, empty))
        #expect(world[empty, Name.self] == nil)
        world[ship, Name.self]?.tags.append("old")
        #expect(world[ship, Name.self] == Name(text: "Argo", tags: ["old"]))
        world.add(Name(text: "b"), Mood.angry(at: ship), to: empty)
        #expect(world[empty, Mood.self] == .angry(at: ship))
        #expect(world.componentNames(of: empty) == ["Name", "Mood"])
        #expect(world.remove(Name.self, from: ship))
        #expect(!world.remove(Name.self, from: ship))
        #expect(world[ship, Name.self] == nil)
        world[empty, Name.self] = nil
        #expect(!world.has(Name.self, empty))
        world.despawn(empty)
        #expect(world[empty, Mood.self] == nil)
    }

    @Test func queriesMixThemWithValues() {
        let ids = world.spawnAll(
            (0..<100).map { Name(text: "n\($0 % 10)") }, (0..<100).map { Spot(x: $0) })
        let bare = world.spawn(Spot(x: -1))
        var found: [String] = []
        world.query(Spot.self, Name.self).forEach { spot, name in
            found.append("\(spot.x)\(name.text)")
        }
        #expect(found.count == 100 && found[42] == "42n2")
        let texts = { (world: World) in
            var texts: [String?] = []
            world.query(Spot.self, Name?.self, Has<Name>.self).forEach { _, name, has in
                #expect((name != nil) == has)
                texts.append(name?.text)
            }
            return texts
        }
        #expect(texts(world).suffix(2) == ["n9", nil])
        #expect(world.query(Spot.self).without(Name.self).objects == [bare])
        #expect(world.query(Spot.self).with(Name.self).count == 100)
        #expect(world.query(GameObjectID.self).withAny(Mood.self, Name.self).count == 100)
        world.advance()
        #expect(world.query(Spot.self).changed(Name.self).isEmpty)
        world.query(Mut<Name>.self, Spot.self).without(Mood.self).forEach { name, spot in
            if spot.x == 7 { name.tags.append("seven") }
        }
        #expect(world[ids[7], Name.self] == Name(text: "n7", tags: ["seven"]))
        #expect(world[ids[17], Name.self] == Name(text: "n7"))
        world.advance()
        world[ids[3], Name.self]?.text = "three"
        world[bare, Name.self] = Name(text: "bare")
        #expect(world.query(Name.self).changed(Name.self).objects == [ids[3], bare])
        #expect(world.query(Name.self).added(Name.self).objects == [bare])
        var sorted: [String] = []
        world.query(Name.self).forEach(sortedBy: { $0.text }) { sorted.append($0.text) }
        #expect(sorted.first == "bare" && sorted.last == "three")
    }

    @Test func manyThreadsMayChangeThem() {
        let ids = world.spawnAll((0..<5_000).map { Name(text: "\($0)") })
        world.query(Mut<Name>.self).parallelForEach(threads: 4) { $0.text += "!" }
        #expect(world[ids[0], Name.self]?.text == "0!")
        #expect(world[ids[4_999], Name.self]?.text == "4999!")
    }

    @Test func eventsHaveTheOldValue() {
        let ship = world.spawn(Name(text: "Argo"))
        var events: [String] = []
        world.observe(Name.self) { _, event in
            switch event {
            case .added(_, let name): events.append("+\(name.text)")
            case .changed(_, let name): events.append("=\(name.text)")
            case .removed(_, let name): events.append("-\(name.text)")
            }
        }
        let other = world.spawn(Name(text: "Beagle"))
        world[ship, Name.self]?.text = "Argo II"
        world.advance()
        world.remove(Name.self, from: ship)
        world.despawn(other)
        #expect(world.removals(of: Name.self).map(\.value.text) == ["Argo II", "Beagle"])
        world.advance()
        #expect(events == ["+Beagle", "=Argo II", "-Argo II", "-Beagle"])
    }

    @Test func unusedContentsAreForgottenAndUsedOnesAreNot() {
        let ship = world.spawn(Name(text: "start"))
        let other = world.spawn(Name(text: "other"))
        let commands = Commands(world)
        commands.set(Name(text: "later"), of: other)
        let before = world.copy()
        for round in 0..<20 {
            for number in 0..<200 { world[ship, Name.self]?.text = "\(round) \(number)" }
            world.advance()
        }
        let contents = world.columns.first { $0.type.name == "Name" }?.contents
        #expect(contents?.isFull == false)
        #expect(world[ship, Name.self]?.text == "19 199")
        #expect(world[other, Name.self]?.text == "other")
        commands.apply()
        #expect(world[other, Name.self]?.text == "later")
        #expect(before[ship, Name.self]?.text == "start")
        let changes = before.diff(from: world)
        #expect(throws: Never.self) { try world.apply(changes) }
        #expect(world[ship, Name.self]?.text == "start")
    }

    /// What later commands set is in no column yet when a closure ends a tick.
    @Test func aTickWithinCommandsKeepsWhatLaterOnesSet() {
        let world = World()
        let (ship, other) = (world.spawn(), world.spawn())
        let commands = Commands(world)
        commands.run { world in
            for number in 0..<3_000 { world[other, Name.self] = Name(text: "\(number)") }
            world.advance()
            world.advance()
        }
        commands.set(Name(text: "last"), of: ship)
        commands.apply()
        #expect(world[ship, Name.self] == Name(text: "last"))
        #expect(world[other, Name.self] == Name(text: "2999"))
    }

    @Test func contentsDoNotPileUpInAFollower() throws {
        let leader = World()
        let (ship, own) = (leader.spawn(), leader.spawn())
        let follower = leader.copy()
        let commands = Commands(follower)
        for number in 0..<3_000 {
            leader.advance()
            leader[ship, Name.self] = Name(text: "\(number)")
            try follower.apply(leader.diff(since: leader.lastAdvance))
            commands.set(Name(text: "own \(number)"), of: own)
            commands.apply()
        }
        #expect(follower[ship, Name.self] == Name(text: "2999"))
        #expect(follower[own, Name.self] == Name(text: "own 2999"))
        for column in follower.columns { #expect(column.contents?.isFull != true) }
    }

    /// As each sweep walks all rows, it is due the later the more there are.
    @Test func sweepsOfManyRowsWithFewContentsAreRare() throws {
        let key = ContentKey(of: try ContentEncoder.encode(Name(text: "next 0")))
        let ships = world.spawnAll((0..<64_000).map { Name(text: "\($0 % 4)") })
        for number in 0..<1_100 { world[ships[0], Name.self] = Name(text: "first \(number)") }
        world.advance()
        let contents = world.columns.first { $0.type.name == "Name" }?.contents
        for number in 0..<3_900 { world[ships[1], Name.self] = Name(text: "next \(number)") }
        #expect(contents?.isFull == false)
        #expect(contents?.has(key) == true)
        for number in 0..<200 { world[ships[1], Name.self] = Name(text: "last \(number)") }
        world.advance()
        #expect(contents?.has(key) == false)
        #expect(world[ships[1], Name.self]?.text == "last 199")
        #expect(world[ships[63_999], Name.self]?.text == "3")
    }

    @Test func contentsDoNotPileUpInAWorldThatNobodyAdvances() {
        let ship = world.spawn(Name(text: "start"))
        let other = world.spawn(Name(text: "other"))
        world[resource: Name.self] = Name(text: "Sea")
        for number in 0..<3_000 { world[ship, Name.self] = Name(text: "set \(number)") }
        for number in 0..<3_000 { world[resource: Name.self] = Name(text: "resource \(number)") }
        for number in 0..<3_000 {
            world.query(Mut<Name>.self).with(Spot.self).forEach { $0.text = "never \(number)" }
            world.query(Mut<Name>.self).forEach { $0.text += number == 0 ? "!" : "" }
            world.query(Mut<Name>.self, GameObjectID.self).forEach { name, id in
                if id == ship { name.text = "loop \(number)" }
            }
        }
        for column in world.columns { #expect(column.contents?.isFull != true) }
        #expect(world[ship, Name.self]?.text == "loop 2999")
        #expect(world[other, Name.self]?.text == "other!")
        #expect(world[resource: Name.self]?.text == "resource 2999")
        // Commands that run meanwhile keep what those behind them have.
        let commands = Commands(world)
        commands.set(Name(text: "first"), of: ship)
        commands.run { world in
            for number in 0..<3_000 { world[other, Name.self] = Name(text: "run \(number)") }
        }
        commands.set(Name(text: "last"), of: ship)
        commands.apply()
        #expect(world[ship, Name.self]?.text == "last")
        #expect(world[other, Name.self]?.text == "run 2999")
    }

    @Test func resourcesAreCodable() {
        #expect(world[resource: Name.self] == nil)
        world[resource: Name.self] = Name(text: "Sea", tags: ["salt"])
        world[resource: Name.self]?.tags.append("wide")
        #expect(world[resource: Name.self]?.tags == ["salt", "wide"])
        let other = World()
        other.merge(world)
        #expect(other[resource: Name.self]?.text == "Sea")
        world[resource: Name.self] = nil
        #expect(world[resource: Name.self] == nil)
    }

    @Test func copiesFollowReferences() {
        let leader = world.spawn(Name(text: "leader"))
        let outside = world.spawn()
        let squad = world.spawn(
            Squad(leader: leader, members: [leader, outside], ranks: ["first": leader]))
        let copies = world.spawn(Prefab(of: [leader, squad], in: world))
        #expect(
            world[copies[1], Squad.self]
                == Squad(
                    leader: copies[0], members: [copies[0], outside], ranks: ["first": copies[0]]))
        #expect(world[copies[0], Name.self]?.text == "leader")
        #expect(world[squad, Squad.self]?.leader == leader)
        let other = World()
        other.spawn()
        let map = other.merge(world)
        #expect(map.count == 5)
        #expect(map[squad].flatMap { other[$0, Squad.self] }?.leader == map[leader])
        let angry = world.spawn(Mood.angry(at: leader))
        let pair = world.spawn(Prefab(of: [leader, angry], in: world))
        #expect(world[pair[1], Mood.self] == .angry(at: pair[0]))
    }

    @Test func changesTravelAsBytes() throws {
        let follower = world.copy()
        let ship = world.spawn(Name(text: "Argo", tags: ["a"]))
        let squad = world.spawn(Squad(leader: ship))
        let changes = try WorldChanges(bytes: world.diff(from: follower).bytes)
        try follower.apply(changes)
        #expect(follower[ship, Name.self] == Name(text: "Argo", tags: ["a"]))
        #expect(follower[squad, Squad.self]?.leader == ship)
        world.advance()
        world[ship, Name.self]?.text = "Beagle"
        try follower.apply(world.diff(since: world.lastAdvance))
        #expect(follower[ship, Name.self]?.text == "Beagle")
        #expect(world.diff(from: follower).isEmpty)
        let bytes = changes.bytes
        for place in bytes.indices {
            var wrong = bytes
            wrong[place] ^= 0x41
            if let read = try? WorldChanges(bytes: wrong) { try? world.copy().apply(read) }
        }
    }

    @Test func changesOfAnotherTypeAreRefused() throws {
        struct Other: CodableComponent {
            static let componentName = "Name"
            var text: Int
        }
        let ship = world.spawn(Name(text: "Argo"))
        let other = World()
        other.register(Other.self)
        #expect(
            throws: WorldChangesError.damaged(
                "Name of \(ship): text: there is a text, and Int is asked for")
        ) { try other.apply(world.diff(from: World())) }
        #expect(other.count == 0)
    }

    @Test func twoKindsOfOneNameAreRefused() async {
        await #expect(processExitsWith: .failure) {
            struct Plain: ValueComponent {
                static let componentName = "Coded"
                var first: UInt64
                var second: UInt64
            }
            struct Text: CodableComponent {
                static let componentName = "Coded"
                var text: String
            }
            let world = World()
            world.spawn(Plain(first: 1, second: 2))
            world.spawn(Text(text: "no"))
        }
    }

    @Test func whatCannotBeCodedNamesItsType() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            struct Secret: CodableComponent {
                var text: String
                func encode(to encoder: any Encoder) throws {
                    var container = encoder.singleValueContainer()
                    try container.encode(1)
                }
            }
            World().spawn(Secret(text: "x"))
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("the component Secret does not read what it writes"))
    }

    @Test func systemsDeclareThem() throws {
        let ship = world.spawn(Name(text: "Argo"), Spot(x: 3))
        let schedule = Schedule()
        schedule.add(
            System("rename", reading: Spot.self, writing: Name.self) { context in
                context[ship, Name.self]?.text = "at \(context[ship, Spot.self]?.x ?? 0)"
                context.commands.spawn(Name(text: "new"))
            })
        schedule.add("tag", Mut<Name>.self) { name, _ in name.tags.append("t") }.with(Spot.self)
        try schedule.run(world)
        #expect(world[ship, Name.self] == Name(text: "at 3", tags: ["t"]))
        #expect(world.query(Name.self).without(Spot.self).count == 1)
    }
}
