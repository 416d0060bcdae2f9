// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

private struct A: ValueComponent, Equatable { var n: Int }
private struct B: ValueComponent, Equatable { var n: Int }
private struct C: ValueComponent, Equatable { var n: Int }

@Suite struct ScheduleDeterminismTests {
    /// A generator of its own, so that a seed names the same schedule everywhere.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
            return z ^ z >> 31
        }
    }

    /// A system that changes one component by another one, and spawns and despawns by the way.
    private static func system<X: ValueComponent, Y: ValueComponent>(
        _ name: String, _ x: X.Type, _ y: Y.Type, _ factor: Int,
        _ body: @escaping @Sendable (Mut<X>, Y, Int) -> Int
    ) -> System {
        System(name, reading: Y.self, writing: X.self) { context in
            context.query(Mut<X>.self, Y.self, GameObjectID.self).forEach { x, y, object in
                let sum = body(x, y, factor)
                if sum % 7 == factor % 7 {
                    let child = context.commands.spawn(A(n: sum), B(n: factor))
                    context.commands.set(C(n: 3), of: child)
                }
                if sum % 11 == factor % 11 { context.commands.despawn(object) }
                if sum % 5 == 0 { context.commands.set(C(n: sum), ifAlive: object) }
            }
        }
    }

    private static func schedule(_ seed: UInt64) -> Schedule {
        var random = Generator(state: seed)
        let schedule = Schedule(stages: "one", "two")
        for number in 0..<Int.random(in: 2...12, using: &random) {
            let factor = Int.random(in: 1...50, using: &random)
            let name = "s\(number)"
            let system =
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    Self.system(name, A.self, B.self, factor) { x, y, f in
                        x.n = (x.n * f + y.n) % 1_009
                        return x.n
                    }
                case 1:
                    Self.system(name, B.self, C.self, factor) { x, y, f in
                        x.n = (x.n * f + y.n) % 1_013
                        return x.n
                    }
                case 2:
                    Self.system(name, C.self, A.self, factor) { x, y, f in
                        x.n = (x.n * f + y.n) % 1_019
                        return x.n
                    }
                default:
                    System(name) { context in
                        for n in 0..<factor { context.commands.spawn(B(n: n), C(n: factor)) }
                    }
                }
            schedule.add(system).inStage(Bool.random(using: &random) ? "one" : "two")
        }
        return schedule
    }

    /// What a world holds after some runs, as text.
    private static func result(_ seed: UInt64, threads: Int) throws -> [String] {
        let world = World()
        for n in 0..<100 { world.spawn(A(n: n), B(n: n * 3), C(n: n * 5)) }
        let schedule = schedule(seed)
        schedule.threads = threads
        // Threads are used however little there is to do.
        schedule.leastGain = 0
        for _ in 0..<6 { try schedule.run(world) }
        return lines(world.query(GameObjectID.self, A?.self, B?.self, C?.self))
    }

    @Test(arguments: 0..<40)
    func threads_make_no_difference(seed: UInt64) throws {
        let serial = try Self.result(seed, threads: 1)
        #expect(!serial.isEmpty)
        for threads in [2, 4] {
            #expect(try Self.result(seed, threads: threads) == serial)
        }
    }

    @Test func ids_of_systems_side_by_side_follow_the_order_of_the_schedule() throws {
        for threads in [1, 2, 4] {
            let world = World()
            let schedule = Schedule()
            schedule.threads = threads
            schedule.leastGain = 0
            for number in 0..<3 {
                schedule.add(
                    System("s\(number)") { context in
                        for n in 0..<2 { context.commands.spawn(A(n: number * 10 + n)) }
                    })
            }
            try schedule.run(world)
            // Each system has taken a block of 16 rows.
            #expect(
                world.query(A.self).objects.map { "\($0) \(world[$0, A.self]?.n ?? -1)" } == [
                    "1/p1 0", "1/p2 1", "1/p17 10", "1/p18 11", "1/p33 20", "1/p34 21",
                ])
        }
    }
}

/// What a world has, a line for each game object.
private func lines(_ query: Query<Terms4<GameObjectID, A?, B?, C?>>) -> [String] {
    var lines: [String] = []
    query.forEach { object, a, b, c in
        lines.append("\(object) \(a?.n ?? -1) \(b?.n ?? -1) \(c?.n ?? -1)")
    }
    return lines
}
