// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

struct Log: ValueComponent, Equatable { var digits: Int }
struct Seen: ValueComponent, Equatable { var count: Int }

@Suite struct ScheduleTests {
    /// A world with one game object, in whose log systems note a digit each.
    private static func logged() -> (World, GameObjectID) {
        let world = World()
        return (world, world.spawn(Log(digits: 0)))
    }

    private static func noting(_ digit: Int) -> System {
        System("s\(digit)", writing: Log.self) { context in
            context.query(Mut<Log>.self).forEach { $0.digits = $0.digits * 10 + digit }
        }
    }

    @Test func a_system_is_a_loop_over_a_query() throws {
        let world = World()
        let ship = world.spawn(Position(x: 1, y: 2), Velocity(x: 10, y: 20))
        let rock = world.spawn(Position(x: 1, y: 2), Velocity(x: 10, y: 20), Frozen())
        let schedule = Schedule()
        schedule.add("move", Mut<Position>.self, Velocity.self) { position, velocity, context in
            position.x += velocity.x * Float(context.delta)
        }.without(Frozen.self)
        try schedule.run(world, delta: 0.5)
        #expect(world[ship, Position.self] == Position(x: 6, y: 2))
        #expect(world[rock, Position.self] == Position(x: 1, y: 2))
    }

    @Test func systems_of_one_to_six_terms_visit_their_matches() throws {
        let world = World()
        let object = world.spawn(Log(digits: 0), Health(points: 1), Seen(count: 2))
        let schedule = Schedule()
        schedule.add("1", Mut<Log>.self) { log, _ in log.digits += 1 }
        schedule.add("2", Mut<Log>.self, Health.self) { log, health, _ in
            log.digits += 10 * health.points
        }
        schedule.add("3", Mut<Log>.self, Health.self, Seen.self) { log, _, seen, _ in
            log.digits += 100 * seen.count
        }
        schedule.add("4", Mut<Log>.self, Health.self, Seen.self, Has<Frozen>.self) {
            log, _, _, isFrozen, _ in log.digits += isFrozen ? 0 : 1_000
        }
        schedule.add("5", Mut<Log>.self, Health.self, Seen.self, Has<Frozen>.self, Position?.self) {
            log, _, _, _, position, _ in log.digits += position == nil ? 10_000 : 0
        }
        schedule.add(
            "6", Mut<Log>.self, Health.self, Seen.self, Has<Frozen>.self, Position?.self,
            GameObjectID.self
        ) { log, _, _, _, _, object, _ in log.digits += 100_000 * Int(object.rawValue & 0xff) }
        try schedule.run(world)
        #expect(world[object, Log.self] == Log(digits: 111_211))
    }

    @Test func systems_that_conflict_run_in_the_order_of_their_addition() throws {
        let (world, object) = Self.logged()
        let schedule = Schedule()
        for digit in [3, 1, 2] { schedule.add(Self.noting(digit)) }
        try schedule.run(world)
        #expect(world[object, Log.self] == Log(digits: 312))
        #expect(try schedule.groups() == [[["s3"], ["s1"], ["s2"]]])
    }

    @Test func stated_orders_and_stages_come_before_the_order_of_addition() throws {
        let (world, object) = Self.logged()
        let schedule = Schedule(stages: "first", "second")
        schedule.add(Self.noting(1)).inStage("second")
        schedule.add(Self.noting(2)).after("s3")
        schedule.add(Self.noting(3))
        schedule.add(Self.noting(4)).before("s3", "s1")
        try schedule.run(world)
        #expect(world[object, Log.self] == Log(digits: 4321))
        // A later statement orders the systems anew.
        schedule.systems[1].before("s4")
        #expect(throws: ScheduleError.cycle(["s2", "s4", "s3"])) { try schedule.run(world) }
    }

    @Test func systems_without_conflict_share_a_group() throws {
        let schedule = Schedule()
        schedule.add(System("a", reading: Position.self, writing: Log.self) { _ in })
        schedule.add(System("b", reading: Position.self, writing: Health.self) { _ in })
        schedule.add(System("c", reading: Log.self) { _ in })
        schedule.add(System("d", writing: Position.self) { _ in })
        schedule.addExclusive("e") { _, _ in }
        schedule.add(System("f", reading: Log.self, Position.self) { _ in })
        schedule.add("g", Log.self, Velocity?.self) { _, _, _ in }
        #expect(try schedule.groups() == [[["a", "b"], ["c", "d"], ["e"], ["f", "g"]]])
    }

    @Test func pairs_without_an_order_are_reported() throws {
        let schedule = Schedule()
        schedule.add(System("a", writing: Log.self, Health.self) { _ in })
        schedule.add(System("b", reading: Log.self, Health.self, Position.self) { _ in })
        schedule.add(System("c", writing: Log.self) { _ in }).after("a")
        schedule.add(System("d", writing: Log.self) { _ in }).after("b", "c")
        schedule.addExclusive("e") { _, _ in }.after("d")
        schedule.add(System("f", reading: Position.self) { _ in }).after("a")
        #expect(
            try schedule.ambiguities() == [
                Ambiguity(first: "a", second: "b", components: ["Health", "Log"]),
                Ambiguity(first: "b", second: "c", components: ["Log"]),
                Ambiguity(first: "e", second: "f", components: []),
            ])
        #expect(
            try schedule.ambiguities()[0].description
                == "a and b both use Health, Log, and have no order")
    }

    @Test func conditions_decide_whether_a_system_runs() throws {
        let (world, object) = Self.logged()
        let schedule = Schedule()
        schedule.add(Self.noting(1)).when { $0.query(Frozen.self).isEmpty }.when { _ in true }
        schedule.add(Self.noting(2)).when { _ in false }
        try schedule.run(world)
        world[object, Frozen.self] = Frozen()
        try schedule.run(world)
        #expect(world[object, Log.self] == Log(digits: 1))
    }

    @Test func a_fixed_step_runs_once_for_each_full_step() throws {
        let (world, object) = Self.logged()
        let schedule = Schedule()
        schedule.add(
            System("tick", writing: Log.self) { context in
                context.query(Mut<Log>.self).forEach { $0.digits += context.delta == 0.1 ? 1 : 100 }
            }
        ).every(0.1, atMost: 3)
        var counts: [Int?] = []
        for delta in [0.05, 0.05, 0.3, 0.09, 10, 0.05, 0.05] {
            try schedule.run(world, delta: delta)
            counts.append(world[object, Log.self]?.digits)
        }
        #expect(counts == [0, 1, 4, 4, 7, 7, 8])
    }

    @Test func a_stage_with_a_fixed_step_repeats_all_of_its_systems() throws {
        let (world, object) = Self.logged()
        let schedule = Schedule(stages: "update")
        schedule.addStage("physics", every: 0.25, atMost: 2)
        schedule.add(Self.noting(1))
        schedule.add(Self.noting(2)).inStage("physics")
        schedule.add(Self.noting(3)).inStage("physics").every(0.5)
        try schedule.run(world, delta: 0.5)
        #expect(world[object, Log.self] == Log(digits: 1223))
        try schedule.run(world, delta: 0.1)
        #expect(world[object, Log.self] == Log(digits: 12231))
        // Four steps are full, two are made, and the time of the others is dropped.
        try schedule.run(world, delta: 1)
        try schedule.run(world, delta: 0.2)
        #expect(world[object, Log.self] == Log(digits: 122_311_2231))
    }

    @Test func the_time_towards_fixed_steps_can_be_kept() throws {
        func make() -> Schedule {
            let schedule = Schedule(stages: "update")
            schedule.addStage("physics", every: 0.25)
            schedule.add(Self.noting(1)).inStage("physics")
            schedule.add(Self.noting(2)).every(1)
            return schedule
        }
        let (world, object) = Self.logged()
        let first = make()
        try first.run(world, delta: 0.625)
        #expect(world[object, Log.self] == Log(digits: 11))
        let times = first.stepTimes
        #expect(times == StepTimes(stages: ["physics": 0.125], systems: ["s2": 0.625]))
        let (copy, second) = (world.copy(), make())
        second.stepTimes = times
        #expect(second.stepTimes == times)
        for (schedule, world) in [(first, world), (second, copy)] {
            try schedule.run(world, delta: 0.375)
            #expect(world[object, Log.self] == Log(digits: 11_211))
            #expect(schedule.stepTimes == StepTimes(stages: ["physics": 0], systems: ["s2": 0]))
        }
    }

    @Test func orders_that_cannot_be_are_errors_with_names() {
        func error(_ change: (Schedule) -> Void) -> String? {
            let schedule = Schedule(stages: "early", "late")
            schedule.add(Self.noting(1))
            change(schedule)
            do {
                try schedule.prepare()
                return nil
            } catch { return error.description }
        }
        #expect(error { _ in } == nil)
        #expect(
            error { $0.add(Self.noting(2)).after("s1").before("s1") }
                == "systems wait for each other: s1 before s2 before s1; take one of these orders "
                + "back")
        #expect(
            error { $0.systems[0].after("s1") }
                == "systems wait for each other: s1 before s1; take one of these orders back")
        #expect(
            error { $0.systems[0].after("draw") }
                == "system s1 is ordered by draw, which the schedule does not have; add that "
                + "system or correct the name")
        #expect(
            error { $0.systems[0].inStage("never") }
                == "system s1 is in stage never, which the schedule does not have; add the stage "
                + "or correct the name")
        #expect(
            error { $0.add(Self.noting(1)) }
                == "two systems are named s1; give one of them another name")
        #expect(
            error { $0.add(Self.noting(2)).inStage("late").before("s1") }
                == "system s2 is to run before s1, whose stage runs earlier; put them into one "
                + "stage or take the order back")
    }

    @Test func filters_mean_since_the_last_run_of_the_system() throws {
        let world = World()
        let first = world.spawn(Health(points: 1), Seen(count: 0))
        let second = world.spawn(Health(points: 2), Seen(count: 0))
        let schedule = Schedule()
        schedule.add("count", Mut<Seen>.self) { seen, _ in seen.count += 1 }.changed(Health.self)
        schedule.add(
            System("heal", writing: Health.self) { context in
                context.query(Mut<Health>.self).added(Health.self).forEach { $0.points += 10 }
            })
        func counts() -> [Int?] { [first, second].map { world[$0, Seen.self]?.count } }
        try schedule.run(world)
        #expect(counts() == [1, 1])
        // The second system has written both after the first one had run.
        try schedule.run(world)
        #expect(counts() == [2, 2])
        try schedule.run(world)
        #expect(counts() == [2, 2])
        world.set(Health(points: 5), of: second)
        try schedule.run(world)
        try schedule.run(world)
        #expect(counts() == [2, 3])
        #expect(world[first, Health.self] == Health(points: 11))
        #expect(world[second, Health.self] == Health(points: 5))
    }

    @Test func a_system_does_not_see_its_own_changes_again() throws {
        let world = World()
        let object = world.spawn(Seen(count: 0))
        let schedule = Schedule()
        schedule.add("count", Mut<Seen>.self) { seen, _ in seen.count += 1 }.changed(Seen.self)
        for _ in 0..<3 { try schedule.run(world) }
        #expect(world[object, Seen.self] == Seen(count: 1))
        // Another world is new to the system.
        let other = World()
        let there = other.spawn(Seen(count: 0))
        try schedule.run(other)
        #expect(other[there, Seen.self] == Seen(count: 1))
    }

    @Test func exclusive_systems_have_the_whole_world() throws {
        let (world, object) = Self.logged()
        let schedule = Schedule()
        var deltas: [Double] = []
        schedule.addExclusive("spawn") { world, context in
            deltas.append(context.delta)
            world.spawn(Health(points: world.count))
            world.remove(Log.self, from: object)
            context.commands.set(Log(digits: 7), of: object)
        }.every(0.5)
        try schedule.run(world, delta: 1)
        #expect(deltas == [0.5, 0.5])
        #expect(world.query(Health.self).count == 2)
        #expect(world[object, Log.self] == Log(digits: 7))
    }

    @Test func observers_are_told_at_the_end_of_each_stage() throws {
        let world = World()
        let object = world.spawn(Health(points: 3))
        let schedule = Schedule(stages: "hit", "after")
        var events: [String] = []
        world.observe(Health.self) { _, event in
            switch event {
            case .added: events.append("added")
            case .changed(_, let health): events.append("changed \(health.points)")
            case .removed(_, let health): events.append("removed \(health.points)")
            }
        }
        schedule.add("hit", Mut<Health>.self) { health, _ in health.points -= 1 }.inStage("hit")
        schedule.addExclusive("note") { _, _ in events.append("after") }.inStage("after")
        schedule.add(
            System("die", reading: Health.self) { context in
                context.query(Health.self, GameObjectID.self).forEach { health, object in
                    if health.points < 2 { context.commands.despawn(object) }
                }
            }
        ).inStage("after").after("note")
        try schedule.run(world)
        try schedule.run(world)
        #expect(
            events == ["changed 2", "after", "changed 1", "after", "removed 1"])
        #expect(!world.isAlive(object))
    }

    @Test func each_fixed_step_sees_a_change_once() throws {
        let (world, object) = Self.logged()
        world.spawn(Health(points: 1))
        let schedule = Schedule()
        schedule.add(
            System("count", reading: Health.self, writing: Log.self) { context in
                let count = context.query(Health.self).added(Health.self).count
                context.query(Mut<Log>.self).forEach { $0.digits = $0.digits * 10 + count }
            }
        ).every(1, atMost: 3)
        try schedule.run(world, delta: 3)
        #expect(world[object, Log.self] == Log(digits: 100))
    }
}
