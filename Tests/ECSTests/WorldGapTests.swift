// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// The bytes of values that say nothing: a file has none of the program's memory in them, and no
/// conflict and no change of the history comes of them.
@MainActor
@Suite struct WorldGapTests {
    struct Spot: ValueComponent, Equatable {
        var x: Double
        var layer: UInt8
    }

    private let fixture: HistoryWorld

    init() throws { fixture = try HistoryWorld() }

    /// Spots in memory that had a byte all over before.
    private func spots(_ count: Int, over byte: UInt8) -> [Spot] {
        let room = UnsafeMutableRawBufferPointer.allocate(
            byteCount: count * MemoryLayout<Spot>.stride, alignment: 8)
        defer { room.deallocate() }
        room.initializeMemory(as: UInt8.self, repeating: byte)
        for number in 0..<count {
            let start = number * MemoryLayout<Spot>.stride
            room.storeBytes(of: Double(number), toByteOffset: start, as: Double.self)
            room.storeBytes(of: 1, toByteOffset: start + 8, as: UInt8.self)
        }
        return Array(UnsafeRawBufferPointer(room).bindMemory(to: Spot.self))
    }

    private func count(of pattern: [UInt8]) throws -> Int {
        let bytes = try Data(contentsOf: fixture.fixture.url)
        var (found, rest) = (0, bytes.startIndex..<bytes.endIndex)
        while let next = bytes.range(of: Data(pattern), in: rest) {
            found += 1
            rest = next.upperBound..<bytes.endIndex
        }
        return found
    }

    @Test func a_file_has_none_of_the_programs_memory() throws {
        let world = try Worlds.World(context: fixture.moc)
        let ids = world.spawnAll(spots(4_000, over: 0xC7))
        try fixture.moc.save()
        #expect(try count(of: [1, 0xC7, 0xC7, 0xC7, 0xC7, 0xC7, 0xC7, 0xC7]) == 0)
        world.query(Mut<Spot>.self).forEach { $0.layer = 2 }
        for (id, spot) in zip(ids, spots(4_000, over: 0xC9)) where id.row % 3 == 0 {
            world[id, Spot.self] = spot
        }
        try fixture.moc.save()
        #expect(try count(of: [0xC9, 0xC9, 0xC9, 0xC9, 0xC9, 0xC9, 0xC9]) == 0)
        try fixture.verify()
    }

    @Test func values_that_are_set_again_are_no_change_of_the_history() throws {
        let world = try Worlds.World(context: fixture.moc)
        let ids = world.spawnAll(spots(3, over: 0))
        try fixture.moc.save()
        for (id, spot) in zip(ids, spots(3, over: 0x77)) {
            world.remove(Spot.self, from: id)
            world.spawnAll([spot])
            world[id, Spot.self] = spot
        }
        try fixture.moc.save()
        let story = try fixture.story(ids[0])
        #expect(story.count == 2)
        #expect(story[1] == "2: +GameObject/4 +GameObject/5 +GameObject/6 +Spot/4 +Spot/5 +Spot/6")
    }

    @Test func equal_values_of_two_contexts_are_no_conflict() throws {
        let other = fixture.fixture.context()
        let world = try Worlds.World(context: fixture.moc)
        let id = world.spawn()
        try fixture.moc.save()
        let second = try Worlds.World(context: other)
        world[id, Spot.self] = spots(2, over: 0x11)[1]
        second[id, Spot.self] = spots(2, over: 0xEE)[1]
        try fixture.moc.save()
        try other.save()
        #expect(second[id, Spot.self] == Spot(x: 1, layer: 1))
        // Another one is.
        world[id, Spot.self] = Spot(x: 2, layer: 1)
        second[id, Spot.self] = Spot(x: 3, layer: 1)
        try fixture.moc.save()
        let error = #expect(throws: CocoaError.self) { try other.save() }
        #expect(error?.code.rawValue == 133_020)
        other.rollback()
    }
}
