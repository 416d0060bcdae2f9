// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds
import _TestSupport

/// What says nothing in the bytes of a value makes no difference between worlds.
@Suite struct ValueGapTests {
    struct Spot: ValueComponent {
        var layer: UInt8
        var x: Double
        var side: UInt16
    }

    enum Goal {
        case follow(UInt8, Int32)
        case go(Int16)
        case wait
        case rest
    }

    struct Mind: ValueComponent {
        var goal: Goal
        var age: Int32?
        var last: (UInt8, Double)?
        var vector: SIMD3<Float>
    }

    struct Row: ValueComponent {
        var cells: InlineArray<3, Int16?>
        var isOn: Bool
    }

    struct Plain: ValueComponent {
        var x: Float
        var y: Float
    }

    /// Values whose bytes were others before, which stay where a value has none of its own.
    private func values<C: BitwiseCopyable>(_ count: Int, over byte: UInt8, _ value: C) -> [C] {
        let size = count * MemoryLayout<C>.stride
        let room = UnsafeMutableRawBufferPointer.allocate(
            byteCount: size, alignment: MemoryLayout<C>.alignment)
        defer { room.deallocate() }
        room.initializeMemory(as: UInt8.self, repeating: byte)
        // Field by field, as the bytes between them stay only so.
        for number in 0..<count {
            fill(room.baseAddress.map { $0 + number * MemoryLayout<C>.stride }, value)
        }
        return Array(UnsafeRawBufferPointer(room).bindMemory(to: C.self))
    }

    private func fill<C>(_ place: UnsafeMutableRawPointer?, _ value: C) {
        func put<V>(_ value: V, _ offset: Int?) {
            guard let place, let offset else { return }
            place.storeBytes(of: value, toByteOffset: offset, as: V.self)
        }
        switch value {
        case let value as Spot:
            put(value.layer, MemoryLayout<Spot>.offset(of: \.layer))
            put(value.x, MemoryLayout<Spot>.offset(of: \.x))
            put(value.side, MemoryLayout<Spot>.offset(of: \.side))
        case let value as Mind:
            put(value.goal, MemoryLayout<Mind>.offset(of: \.goal))
            put(value.age, MemoryLayout<Mind>.offset(of: \.age))
            put(value.last, MemoryLayout<Mind>.offset(of: \.last))
            let vector = MemoryLayout<Mind>.offset(of: \.vector)
            for lane in 0..<3 { put(value.vector[lane], vector.map { $0 + 4 * lane }) }
        case let value as Row:
            put(value.cells, MemoryLayout<Row>.offset(of: \.cells))
            put(value.isOn, MemoryLayout<Row>.offset(of: \.isOn))
        default: Issue.record("\(C.self) has no fields here")
        }
    }

    private func checkSame<C: ValueComponent>(
        _ value: C, source: SourceLocation = #_sourceLocation
    ) throws {
        let one = World()
        let other = World()
        let ids = one.spawnAll(values(100, over: 0xAA, value))
        other.spawnAll(values(100, over: 0x55, value))
        #expect(one.diff(from: other).isEmpty, sourceLocation: source)
        // Applying them changes nothing either.
        let tick = other.tick
        other.advance()
        try other.apply(one.diff(from: World()))
        #expect(other.diff(since: tick).isEmpty, sourceLocation: source)
        // What is a difference stays one.
        one.remove(C.self, from: ids[3])
        #expect(one.diff(from: other).count == 1, sourceLocation: source)
    }

    @Test func equal_structures_are_the_same() throws {
        try checkSame(Spot(layer: 1, x: 2, side: 3))
    }

    @Test(arguments: 0..<4) func equal_enumerations_are_the_same(number: Int) throws {
        let goal: Goal = [.follow(1, 2), .go(7), .wait, .rest][number]
        try checkSame(
            Mind(goal: goal, age: number == 1 ? 5 : nil, last: nil, vector: [1, 2, 3]))
        try checkSame(
            Mind(goal: goal, age: nil, last: (1, 2.5), vector: [1, 2, 3]))
    }

    @Test func elements_in_place_are_the_same() throws {
        try checkSame(Row(cells: [1, nil, 3], isOn: true))
    }

    @Test func other_values_differ() {
        let goals: [Goal] = [
            .follow(1, 2), .follow(2, 2), .follow(1, 3), .go(1), .go(2), .wait, .rest,
        ]
        for (first, goal) in goals.enumerated() {
            for (second, other) in goals.enumerated() {
                let (one, two) = (World(), World())
                one.spawn(Mind(goal: goal, age: nil, last: nil, vector: .zero))
                two.spawn(Mind(goal: other, age: nil, last: nil, vector: .zero))
                #expect(one.diff(from: two).isEmpty == (first == second), "\(goal), \(other)")
            }
        }
        for (age, other) in [(nil, 0), (0, 1), (nil, -1)] as [(Int32?, Int32?)] {
            let (one, two) = (World(), World())
            one.spawn(Mind(goal: .wait, age: age, last: nil, vector: .zero))
            two.spawn(Mind(goal: .wait, age: other, last: nil, vector: .zero))
            #expect(!one.diff(from: two).isEmpty)
        }
    }

    @Test func values_survive_being_written() throws {
        let one = World()
        let mind = Mind(goal: .follow(3, 4), age: 9, last: (1, 0.5), vector: [1, 2, 3])
        let id = one.spawn(mind, Row(cells: [1, nil, 3], isOn: true), Plain(x: 1, y: 2))
        let other = World()
        try other.apply(one.diff(from: World()))
        let found = try #require(other[id, Mind.self])
        guard case .follow(3, 4) = found.goal else {
            Issue.record("\(found.goal)")
            return
        }
        #expect(found.age == 9 && found.last! == (1, 0.5) && found.vector == [1, 2, 3])
        let cells = try #require(other[id, Row.self]).cells
        #expect(cells[0] == 1 && cells[1] == nil && cells[2] == 3)
        #expect(other[id, Plain.self]?.y == 2)
    }
}
