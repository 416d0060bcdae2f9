// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import RecordFormat
import Testing
import Worlds
import _TestSupport

/// Worlds of files that are wrong on purpose throw, and never crash.
@MainActor
@Suite struct WorldDamageTests {
    let fixture: WorldFixture
    let pages: WorldPages

    init() throws {
        fixture = try WorldFixture()
        do {
            let world = try Worlds.World(context: fixture.moc)
            for number: Int32 in 0..<200 {
                let object = world.spawn(Place(x: number, y: -number))
                if number % 3 == 0 { world[object, Speed.self] = Speed(x: number, y: 1) }
                if number % 50 == 0 { world[object, Asleep.self] = Asleep() }
            }
            try fixture.moc.save()
        }
        pages = try WorldPages(fixture.url)
    }

    @Test func formats_of_file_and_world_agree() {
        #expect(ChunkFormat.headerSize == ChunkLayout.headerSize)
        #expect(ChunkFormat.greatestSize == ChunkLayout.greatestSize)
        #expect(ChunkFormat.greatestStride == 1_022)
        #expect(ChunkFormat.greatestStride == ChunkLayout.greatestStride)
        #expect(ChunkFormat.aliveName == Worlds.World.aliveName)
        for stride in 0...1_022 {
            let (format, layout) = (ChunkFormat(stride: stride), ChunkLayout(stride: stride))
            #expect(format.shift == layout.shift, "\(stride)")
            #expect(format.valuesOffset == layout.valuesOffset, "\(stride)")
            #expect(format.size == layout.size && format.size <= 65_520, "\(stride)")
            #expect(format.rows == layout.rows && format.words == layout.words, "\(stride)")
        }
    }

    @Test func a_healthy_file_is_fine() throws {
        #expect(try pages.chunks().map(\.value.count) == [2_096, 33_328, 33_328, 2_096])
        try pages.verify()
    }

    /// The error that opening ends with; nil when it succeeds.
    private func refusal() -> CocoaError? {
        do {
            let all: [any ValueComponent.Type] = [Place.self, Speed.self, Asleep.self]
            let context = fixture.context()
            let world = try Worlds.World(context: context, components: all)
            use(world)
            try context.save()
            return nil
        } catch {
            #expect(error is CocoaError, "\(error)")
            return error as? CocoaError
        }
    }

    private func use(_ world: Worlds.World) {
        var sum: Int32 = 0
        world.query(Place.self, Speed.self).forEach { place, speed in sum &+= place.x &+ speed.y }
        if let first = world.query(Place.self).objects.first, world.isAlive(first) {
            world[first, Place.self] = Place(x: sum, y: 0)
        }
        if let last = world.query(Asleep.self).objects.last, world.isAlive(last) {
            world.despawn(last)
        }
    }

    @Test func short_chunks_are_refused() throws {
        let healthy = try pages.chunks()
        for index in healthy.indices {
            for count in [0, 1, 7, 8, 47, 48, 49, 2_095] {
                var chunks = healthy
                chunks[index].value = Array(chunks[index].value.prefix(count))
                try pages.setChunks(chunks)
                let message = refusal()?.localizedDescription ?? ""
                #expect(message.contains("has \(count) bytes instead of "), "\(message)")
            }
        }
    }

    @Test func a_chunk_with_a_wrong_checksum_names_its_type() throws {
        let healthy = try pages.chunks()
        for (index, name) in ["GameObject", "Place", "Speed", "Asleep"].enumerated() {
            var chunks = healthy
            chunks[index].value[60] ^= 4
            try pages.setChunks(chunks)
            let error = try #require(refusal())
            #expect(error.code == .persistentStoreOperation)
            #expect(
                error.localizedDescription.contains("component \(name) ")
                    && error.localizedDescription.contains("checksum"),
                "\(error.localizedDescription)")
        }
    }

    @Test func a_chunk_that_is_cut_under_an_open_world_is_refused() throws {
        let healthy = try pages.chunks()
        for index in healthy.indices {
            for count in [0, 20, 48, 60] {
                let context = fixture.context()
                let world = try Worlds.World(context: context)
                world.query(Place.self).objects.forEach { world.despawn($0) }
                var chunks = healthy
                chunks[index].value = Array(chunks[index].value.prefix(count))
                try pages.setChunks(chunks)
                #expect(throws: CocoaError.self) { try context.save() }
                #expect(throws: CocoaError.self) { try world.refresh() }
                try pages.setChunks(healthy)
            }
        }
    }

    @Test func wrong_lists_of_types_are_refused() throws {
        func list(_ types: [(UInt32, String, [UInt32])]) -> [UInt8] {
            var writer = ByteWriter()
            writer.write(UInt32(types.count))
            for (number, name, sizes) in types {
                writer.write(number)
                writer.write(name)
                for size in sizes { writer.write(size) }
                writer.write("")
            }
            return writer.bytes
        }
        let alive: (UInt32, String, [UInt32]) = (1, "GameObject", [0, 0, 1])
        for wrong: [(UInt32, String, [UInt32])] in [
            [alive, (2, "Place", [8, .max, 1])], [alive, (2, "Place", [8, 1_024, 4])],
            [alive, (2, "A", [8, 8, 4]), (3, "A", [8, 8, 4])],
            [alive, (2, "A", [8, 8, 4]), (2, "B", [8, 8, 4])],
            [(1, "GameObject", [8, 8, 4])], [alive, (.max, "A", [8, 8, 4])],
            [alive, (2, "Place", [0, 8, 4])], [alive, (2, "Place", [8, 0, 4])],
        ] {
            try pages.setTypes(list(wrong))
            #expect(refusal()?.code == .persistentStoreOperation, "\(wrong)")
        }
        for wrong: [UInt8] in [[], [1], [255, 255, 255, 255], [0, 0, 0, 0, 0]] {
            try pages.setTypes(wrong)
            #expect(refusal()?.code == .persistentStoreOperation, "\(wrong)")
        }
    }

    @Test func random_damage_never_crashes() throws {
        let healthy = try pages.chunks()
        let types = try pages.types()
        var random = SeededGenerator(seed: 71)
        var refused = 0
        for _ in 0..<400 {
            var chunks = healthy
            var list = types
            if random.chance(0.3) { WorldDamageTests.change(&list, &random) }
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: chunks.indices, using: &random)
                if random.chance(0.1) { chunks[index].key = random.bytes(count: 8) }
                if random.chance(0.1) { chunks[index].key[7] = 1 }
                WorldDamageTests.change(&chunks[index].value, &random)
                if random.chance(0.7) { WorldPages.repair(&chunks[index].value) }
            }
            try pages.setChunks(chunks)
            try pages.setTypes(list)
            if refusal() != nil { refused += 1 }
        }
        #expect(refused > 200, "seed \(random.seed)")
        try pages.setTypes(types)
        try pages.setChunks(healthy)
        try pages.verify()
    }

    private static func change(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
        case 1: bytes += random.bytes(count: 1)
        default:
            guard bytes.count > 4 else { return }
            // The header has the most numbers.
            let end = random.chance(0.7) ? min(bytes.count, 64) : bytes.count
            let place = Int.random(in: 0..<end - 3, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes.replaceSubrange(place..<place + 4, with: random.bytes(count: 4))
            default:
                let extreme: UInt8 = random.chance(0.5) ? 0xFF : 0
                bytes.replaceSubrange(
                    place..<place + 4, with: [UInt8](repeating: extreme, count: 4))
            }
        }
    }
}
