// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import RecordFormat
import Testing
import Worlds

private enum Old {
    enum Hue: UInt8 { case red, green }
    struct Paint: ValueComponent { var hue: Hue }
    enum Mode: ValueComponent { case off, on }
}

private enum New {
    enum Hue: UInt8 { case blue, red, green }
    struct Paint: ValueComponent { var hue: Hue }
    enum Mode: ValueComponent { case on, off }
}

/// A file knows the cases of enumerations, and refuses others.
@MainActor
@Suite struct WorldEnumerationTests {
    let fixture: WorldFixture
    let ids: [GameObjectID]

    init() throws {
        fixture = try WorldFixture()
        let world = try Worlds.World(context: fixture.moc)
        ids = [world.spawn(Old.Paint(hue: .red)), world.spawn(Old.Paint(hue: .green), Old.Mode.on)]
        world[resource: Old.Mode.self] = .on
        try fixture.moc.save()
        try fixture.open()
    }

    private func open(_ types: any WorldComponent.Type...) throws -> Worlds.World {
        try Worlds.World(context: fixture.context(), components: types)
    }

    /// The fields of a type, as the file has them.
    private func fields(_ name: String) throws -> String? {
        var reader = ByteReader(try WorldPages(fixture.url).types())
        for _ in 0..<(try reader.read() as UInt32) {
            let type = try StoredType(&reader)
            if type.name == name { return type.fields }
        }
        return nil
    }

    /// Makes the file one of an earlier version, which did not know cases.
    private func forgetCases() throws {
        let pages = try WorldPages(fixture.url)
        var reader = ByteReader(try pages.types())
        let count: UInt32 = try reader.read()
        var writer = ByteWriter()
        writer.write(count)
        for _ in 0..<count {
            var type = try StoredType(&reader)
            while let start = type.fields.firstIndex(of: "{"),
                let end = type.fields.firstIndex(of: "}")
            {
                type.fields.removeSubrange(start...end)
            }
            type.write(&writer)
        }
        try pages.setTypes(writer.bytes)
        try fixture.open()
    }

    @Test func other_cases_are_refused_and_named() throws {
        #expect {
            _ = try open(New.Paint.self)
        } throws: { error in
            let text = (error as? CocoaError)?.localizedDescription ?? ""
            return text.contains("Paint (1 bytes: hue:Hue{red,green}@0)")
                && text.contains("Paint (1 bytes: hue:Hue{blue,red,green}@0)")
        }
        #expect(throws: CocoaError.self) { try open(New.Mode.self) }
        #expect(throws: CocoaError.self) { try open(Resource<New.Mode>.self) }
        let world = try open(Old.Paint.self, Old.Mode.self, Resource<Old.Mode>.self)
        #expect(world[ids[0], Old.Paint.self]?.hue == .red)
        #expect(world[ids[1], Old.Mode.self] == .on)
        #expect(world[resource: Old.Mode.self] == .on)
    }

    @Test func other_cases_are_migrated() throws {
        let context = fixture.context()
        let world = try Worlds.World(
            context: context,
            migrations: [
                ColumnMigration(from: Old.Paint.self, to: New.Paint.self) {
                    New.Paint(hue: $0.hue == .red ? .red : .green)
                }
            ])
        #expect(ids.map { world[$0, New.Paint.self]?.hue } == [.red, .green])
        try context.save()
        #expect(try fields("Paint") == "hue:Hue{blue,red,green}@0")
        #expect(try open(New.Paint.self)[ids[0], New.Paint.self]?.hue == .red)
    }

    @Test func a_file_of_an_earlier_version_opens_and_learns_the_cases() throws {
        try forgetCases()
        #expect(try fields("Paint") == "hue:Hue@0")
        #expect(try fields("Mode") == "")
        let context = fixture.context()
        do {
            let world = try Worlds.World(
                context: context, components: [Old.Paint.self, Old.Mode.self])
            #expect(ids.map { world[$0, Old.Paint.self]?.hue } == [.red, .green])
            #expect(world[ids[1], Old.Mode.self] == .on)
            world.spawn(Place(x: 1, y: 1))
            try context.save()
        }
        #expect(try fields("Paint") == "hue:Hue{red,green}@0")
        #expect(try fields("Mode") == "{off,on}")
        #expect(throws: CocoaError.self) { try open(New.Paint.self) }
        try WorldPages(fixture.url).verify()
    }

    @Test func a_program_that_does_not_name_a_type_leaves_its_cases() throws {
        try forgetCases()
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        let second = try Worlds.World(context: two, components: [Old.Paint.self])
        second.spawn(Place(x: 1, y: 1))
        try two.save()
        #expect(try fields("Paint") == "hue:Hue{red,green}@0")
        first.spawn(Place(x: 2, y: 2))
        try one.save()
        #expect(try fields("Paint") == "hue:Hue{red,green}@0")
        first.spawn(Place(x: 3, y: 3))
        try one.save()
        #expect(try fields("Paint") == "hue:Hue{red,green}@0")
        #expect(first.componentTypes.first { $0.name == "Paint" }?.fields == "hue:Hue{red,green}@0")
    }
}

/// An entry of the list of component types.
private struct StoredType {
    let number: UInt32
    let name: String
    let sizes: [UInt32]
    let codes: [UInt16]
    var fields: String

    init(_ reader: inout ByteReader) throws {
        number = try reader.read()
        name = try reader.readText()
        sizes = [try reader.read(), try reader.read()]
        codes = [try reader.read(), try reader.read()]
        fields = try reader.readText()
    }

    func write(_ writer: inout ByteWriter) {
        writer.write(number)
        writer.write(name)
        for size in sizes { writer.write(size) }
        for code in codes { writer.write(code) }
        writer.write(fields)
    }
}
