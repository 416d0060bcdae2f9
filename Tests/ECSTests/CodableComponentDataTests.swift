// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds

/// Codable components beside managed objects, and in documents.
@MainActor
@Suite struct CodableComponentDataTests {
    let fixture: WorldFixture

    init() throws { fixture = try WorldFixture() }

    private func hero(_ name: String, data: [String]) throws -> GameObject {
        let hero = GameObject.create(name: name, moc: fixture.moc)
        for name in data {
            let data = GameObject.create(name: name, moc: fixture.moc)
            try hero.addComponent(with: data, moc: fixture.moc)
        }
        return hero
    }

    @Test func managed_data_comes_with_them() throws {
        let world = try Worlds.World(context: fixture.moc)
        let first = try hero("One", data: ["sword", "bow"]).id(in: world)
        let second = try hero("Two", data: ["axe"]).id(in: world)
        let bare = try hero("Three", data: []).id(in: world)
        world.add(Title(text: "Lady"), Place(x: 1, y: 0), to: first)
        world.add(Title(text: "Lord"), to: second)
        world.add(Title(text: "Nobody"), Place(x: 3, y: 0), to: bare)
        func visit() throws -> [String] {
            var seen: [String] = []
            try world.query(Title.self, Place?.self).forEach(with: GameObject.self) {
                data, items in
                let (title, place) = items
                seen.append("\(title.text) \(data.name ?? "") \(place?.x ?? -1)")
            }
            return seen
        }
        #expect(try Set(visit()) == ["Lady sword 1", "Lady bow 1", "Lord axe -1"])
        #expect(try visit().last == "Lord axe -1")
        try world.query(Mut<Title>.self, Place.self).forEach(with: GameObject.self) {
            data, items in
            items.0.tags.append(data.name ?? "")
        }
        #expect(world[first, Title.self]?.tags.sorted() == ["bow", "sword"])
        #expect(world[second, Title.self]?.tags == [])
        try fixture.moc.save()
        #expect(try visit().count == 3)
        world.advance()
        world[second, Title.self]?.text = "Duke"
        var changed: [String] = []
        try world.query(Title.self).changed(Title.self).forEach(with: GameObject.self) {
            data, title in
            changed.append("\(title.text) \(data.name ?? "")")
        }
        #expect(changed == ["Duke axe"])
        world.remove(Title.self, from: first)
        #expect(try visit() == ["Duke axe -1"])
        try fixture.moc.save()
        try WorldPages(fixture.url).verify()
    }

    @Test func a_document_with_a_value_that_is_too_deep_changes_nothing() throws {
        struct Tree: CodableComponent { var inner: [Tree] = [] }
        let json = WorldJSON(components: Tree.self)
        let world = try Worlds.World(context: fixture.moc)
        let ship = world.spawn(Tree())
        try fixture.moc.save()
        let document = try json.data(of: world)
        let text = String(decoding: document, as: UTF8.self)
        let compact = text.filter { !$0.isWhitespace }
        let plain = #"{"inner":[]}"#
        try #require(compact.contains(plain))
        func nested(_ depth: Int) -> Data {
            let tree = (0..<depth).reduce(plain) { tree, _ in #"{"inner":[\#(tree)]}"# }
            return Data(compact.replacingOccurrences(of: plain, with: tree).utf8)
        }
        do {
            try json.load(nested(64), into: world)
            Issue.record("too deep a value was loaded")
        } catch DecodingError.dataCorrupted(let context) {
            #expect(context.codingPath.last?.stringValue == "Tree")
            #expect(context.debugDescription.contains("more than 128 deep"))
        }
        #expect(!fixture.moc.hasChanges)
        try json.load(nested(63), into: world)
        #expect(world[ship, Tree.self]?.inner.count == 1)
        try fixture.moc.save()
        try WorldPages(fixture.url).verify()
    }
}
