// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

private enum Hue: UInt8 { case red, green }
private enum Shade<Value: BitwiseCopyable & Sendable> { case none, some(Value), both(Value, UInt8) }

private struct Spot { var x: Int16, y: Int16 }

private struct Everything: ValueComponent {
    var hue: Hue
    var spot: Spot
    var maybe: Int32?
    var place: Spot?
    var shade: Shade<Spot>
    var pair: (Int8, Int8)
    var spots: (Spot, hue: Hue)
    var goal: Goal
}

private enum Way: ValueComponent { case stay, go(Spot), turn(left: Bool, hue: Hue?) }

private struct Shaded: ValueComponent { var hue: Hue }

/// What a world knows of the layout of a type.
@Suite struct TypeSignatureTests {
    @Test func enumerations_are_told_by_their_cases() {
        let fields = ComponentType(Everything.self).fields
            .split(separator: "@").map { $0.drop { $0.isNumber }.drop { $0 == " " } }
        #expect(
            fields.dropLast().map(String.init) == [
                "hue:Hue{red,green}", "spot.x:Int16", "spot.y:Int16", "maybe:Optional<Int32>",
                "place:Optional<Spot>{some(Spot{x=Int16+0,y=Int16+2}),none}",
                "shade:Shade<Spot>{some(Spot{x=Int16+0,y=Int16+2}),"
                    + "both(.0=Spot{x=Int16+0,y=Int16+2}+0,.1=UInt8+4),none}",
                "pair:(Int8, Int8)",
                "spots:(Spot, hue: Hue){.0=Spot{x=Int16+0,y=Int16+2}+0,hue=Hue{red,green}+4}",
                "goal:Goal{follow(GameObjectID),wait(seconds=Double+0),none}",
            ])
    }

    @Test func an_enumeration_may_be_the_component() {
        #expect(
            ComponentType(Way.self).fields
                == "{go(Spot{x=Int16+0,y=Int16+2}),turn(left=Bool+0,hue=Optional<Hue>"
                + "{some(Hue{red,green}),none}+1),stay}")
        #expect(ComponentType(Frozen.self).fields == "")
    }

    @Test func numbers_and_resources_are_told_as_ever() {
        #expect(ComponentType(Position.self).fields == "x:Float@0 y:Float@4")
        #expect(ComponentType(Resource<Position>.self).fields == "x:Float@0 y:Float@4")
        #expect(ComponentType(Resource<Shaded>.self).fields == "hue:Hue{red,green}@0")
        #expect(
            ComponentType(Aim.self).fields
                == "target:GameObjectID@0 second:Optional<GameObjectID>@8 strength:Int32@20")
    }

    @Test func a_reader_of_the_list_finds_the_fields() {
        let fields = ComponentField.list(ComponentType(Everything.self).fields)
        #expect(
            fields.map(\.name) == [
                "hue", "spot.x", "spot.y", "maybe", "place", "shade", "pair", "spots", "goal",
            ])
        #expect(fields[0].type == "Hue{red,green}")
    }

    @Test func a_changed_payload_is_another_layout() throws {
        enum Old {
            struct Inner { var a: Int32 }
            enum Mood { case calm(Inner) }
            struct Mind: ValueComponent { var mood: Mood }
        }
        enum New {
            struct Inner { var b: Int32 }
            enum Mood { case calm(Inner) }
            struct Mind: ValueComponent { var mood: Mood }
        }
        let (one, other) = (World(), World())
        one.spawn(Old.Mind(mood: .calm(Old.Inner(a: 1))))
        other.spawn(New.Mind(mood: .calm(New.Inner(b: 1))))
        #expect {
            try other.apply(one.diff(from: World()))
        } throws: { error in
            "\(error)".contains("Mind (4 bytes: mood:Mood{calm(Inner{a=Int32+0})}@0)")
                && "\(error)".contains("Mind (4 bytes: mood:Mood{calm(Inner{b=Int32+0})}@0)")
        }
    }
}

private enum Deep { case members(InlineArray<2, Hue>), none }

private struct Lists: ValueComponent {
    var hues: InlineArray<3, Hue>
    var numbers: InlineArray<2, Int32>
    var deep: Deep
}

private struct Party: ValueComponent { var members: InlineArray<2, GameObjectID> }

/// Inline arrays, of whose elements reflection says nothing.
@Suite struct InlineArrayTests {
    @Test func elements_are_told() {
        #expect(
            ComponentType(Lists.self).fields == "hues._storage:<<< invalid type >>>"
                + "{3*Hue{red,green}}@0 numbers._storage:<<< invalid type >>>{2*Int32}@4 "
                + "deep:Deep{members(InlineArray<2, Hue>{2*Hue{red,green}}),none}@12")
    }

    @Test func other_elements_are_another_layout() {
        enum Other {
            struct Lists: ValueComponent { var numbers: InlineArray<2, Float> }
        }
        enum Mine {
            struct Lists: ValueComponent { var numbers: InlineArray<2, Int32> }
        }
        let (one, other) = (World(), World())
        one.spawn(Mine.Lists(numbers: [1, 2]))
        other.spawn(Other.Lists(numbers: [1, 2]))
        #expect(throws: WorldChangesError.self) { try other.apply(one.diff(from: World())) }
    }

    @Test func an_ID_among_them_traps() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = World()
            let object = world.spawn()
            world[object, Party.self] = Party(members: [object, object])
            world.clone(object)
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("Party of 1/p1 has the ID [1/p1, 1/p1] in an enum, a tuple or the"))
    }

    @Test func numbers_among_them_are_copied() throws {
        let world = World()
        let object = world.spawn(Lists(hues: [.red, .green, .red], numbers: [1, 2], deep: .none))
        // A world that has not met the type.
        let other = World()
        try other.apply(world.diff(from: World()))
        #expect(World().merge(other).count == 1)
        #expect(world[world.clone(object), Lists.self]?.numbers[1] == 2)
    }
}
