// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

@Suite struct SystemAccessTests {
    /// Runs a system that reads health and writes logs over a world with one game object.
    private static func run(_ body: @escaping @Sendable (SystemContext, GameObjectID) -> Void) {
        let world = World()
        let object = world.spawn(Health(points: 1), Log(digits: 2), Position(x: 3, y: 4))
        let schedule = Schedule()
        schedule.add(
            System("checked", reading: Health.self, writing: Log.self) { body($0, object) })
        do { try schedule.run(world) } catch { Issue.record(error) }
        #expect(world[object, Log.self] == Log(digits: 5))
    }

    /// The last words of a process in which a system does what it must not.
    private static func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func what_is_declared_may_be_used() {
        Self.run { context, object in
            #expect(context.name == "checked")
            #expect(context[object, Health.self] == Health(points: 1))
            #expect(context.has(Health.self, object))
            #expect(context.isAlive(object))
            #expect(context.query(Health.self, Log?.self).with(Log.self).count == 1)
            context.set(Log(digits: 3), of: object)
            context[object, Log.self]?.digits += 1
            context.query(Mut<Log>.self, Health.self).forEach { log, health in
                log.digits += health.points
            }
        }
    }

    @Test func an_undeclared_write_traps_with_names() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            Self.run { context, _ in context.query(Mut<Health>.self).forEach { $0.points = 9 } }
        }
        #expect(
            Self.text(result).contains(
                "system checked writes Health without having declared it; add Health.self to its "
                    + "writing:"))
    }

    @Test func an_undeclared_read_traps_with_names() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            Self.run { context, _ in context.query(Health.self, Position.self).forEach { _, _ in } }
        }
        #expect(
            Self.text(result).contains(
                "system checked reads Position without having declared it; add Position.self to "
                    + "its reading:"))
    }

    @Test func an_undeclared_resource_traps_with_what_to_declare() async {
        let write = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            Self.run { context, _ in context[resource: Position.self] = Position(x: 1, y: 2) }
        }
        #expect(
            Self.text(write).contains(
                "system checked writes resource/Position without having declared it; add "
                    + "Resource<Position>.self to its writing:"), "\(Self.text(write))")
        let read = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            Self.run { context, _ in _ = context[resource: Position.self] }
        }
        #expect(
            Self.text(read).contains("add Resource<Position>.self to its reading:"),
            "\(Self.text(read))")
    }

    @Test func a_component_that_the_world_does_not_know_traps_as_well() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            Self.run { context, _ in _ = context.query(Health.self).without(Frozen.self).count }
        }
        #expect(Self.text(result).contains("system checked reads Frozen without"))
    }

    @Test func undeclared_single_values_trap() async {
        await #expect(processExitsWith: .failure) {
            Self.run { context, object in _ = context[object, Position.self] }
        }
        await #expect(processExitsWith: .failure) {
            Self.run { context, object in context[object, Health.self] = Health(points: 2) }
        }
        await #expect(processExitsWith: .failure) {
            Self.run { context, object in context.set(Health(points: 2), of: object) }
        }
        await #expect(processExitsWith: .failure) {
            Self.run { context, object in _ = context.has(Frozen.self, object) }
        }
    }

    @Test func adding_and_removing_trap() async {
        await #expect(processExitsWith: .failure) {
            Self.run { context, object in context[object, Log.self] = nil }
        }
        await #expect(processExitsWith: .failure) {
            Self.run { context, _ in
                context.set(Log(digits: 1), of: GameObjectID(rawValue: 1 << 48 | 99))
            }
        }
        await #expect(processExitsWith: .failure) {
            Self.run { context, _ in context.commands.apply() }
        }
    }

    @Test func writing_what_a_loop_of_the_system_reads_traps() async {
        await #expect(processExitsWith: .failure) {
            Self.run { context, object in
                context.query(Log.self).forEach { _ in context.set(Log(digits: 1), of: object) }
            }
        }
        await #expect(processExitsWith: .failure) {
            Self.run { context, _ in context.query(Mut<Log>.self, Log.self).forEach { _, _ in } }
        }
    }

    @Test func impossible_settings_trap() async {
        await #expect(processExitsWith: .failure) { Schedule().threads = 0 }
        await #expect(processExitsWith: .failure) { Schedule().addStage("update") }
        await #expect(processExitsWith: .failure) { System("s") { _ in }.every(0) }
        await #expect(processExitsWith: .failure) { try Schedule().run(World(), delta: -1) }
        await #expect(processExitsWith: .failure) {
            let system = System("s") { _ in }
            Schedule().add(system)
            let schedule = Schedule()
            schedule.add(system)
            schedule.add(system)
        }
        await #expect(processExitsWith: .failure) {
            let schedule = Schedule()
            schedule.addExclusive("s") { world, _ in try? schedule.run(world) }
            try schedule.run(World())
        }
        await #expect(processExitsWith: .failure) {
            let schedule = Schedule()
            schedule.addExclusive("s") { _, _ in }.when { $0.spawn() == $0.spawn() }
            try schedule.run(World())
        }
    }
}
