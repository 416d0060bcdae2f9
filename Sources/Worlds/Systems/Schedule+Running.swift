// SPDX-License-Identifier: Apache-2.0

import Traps

extension Schedule {
    /// Runs every stage once, or as often as its fixed step says.
    ///
    /// A run begins with ``World/advance()``. For another world than that of the last run, systems
    /// begin anew: to their filters everything is added, and no time has added up but what
    /// ``stepTimes`` was set to. The schedule keeps the world until then.
    ///
    /// - Parameters:
    ///   - world: The world.
    ///   - delta: The time since the last run in seconds, at least 0.
    /// - Throws: A ``ScheduleError`` when the systems have no order; nothing has run then. Once
    ///   ``prepare()`` has passed, a run does not throw until the schedule changes.
    public func run(_ world: World, delta: Double = 0) throws(ScheduleError) {
        require(!isRunning, "a schedule runs inside a run of its own")
        require(delta >= 0 && delta.isFinite, "a run of \(delta) seconds; time does not go back")
        let plan = try makePlan()
        isRunning = true
        defer { isRunning = false }
        bind(to: world)
        world.advance()
        for stage in stageList.indices {
            let steps = stageList[stage].step?.steps(after: delta) ?? 1
            let time = stageList[stage].step?.seconds ?? delta
            for _ in 0..<steps {
                for wave in plan.waves[stage] { run(wave, world, time) }
                world.deliverEvents()
            }
        }
    }

    /// Gets systems ready for a world.
    private func bind(to world: World) {
        if self.world !== world {
            self.world = world
            for stage in stageList.indices { stageList[stage].step?.reset() }
            for system in systems { system.bind(to: world) }
        } else {
            for system in systems where system.context == nil { system.bind(to: world) }
        }
        useNextTimes()
    }

    /// Runs systems that do not conflict, and applies their commands.
    private func run(_ wave: [System], _ world: World, _ delta: Double) {
        if wave.count == 1, wave[0].isExclusive { return runAlone(wave[0], world, delta) }
        let due = wave.filter { isDue($0, world, delta) }
        guard !due.isEmpty else { return }
        for system in due {
            system.context?.commands.rows.reserve(from: world)
            system.prepare()
        }
        world.isParallel = true
        WaveRun(due).run(threads: threads, leastGain: leastGain)
        world.isParallel = false
        let tick = world.step()
        for system in due { finish(system, tick) }
    }

    private func runAlone(_ system: System, _ world: World, _ delta: Double) {
        guard isDue(system, world, delta), let context = system.context else { return }
        for _ in 0..<system.repetitions {
            context.commands.rows.reserve(from: world)
            system.run(context)
            finish(system, world.step())
        }
    }

    /// Whether a system is to run, and how often.
    private func isDue(_ system: System, _ world: World, _ delta: Double) -> Bool {
        if !system.conditions.isEmpty {
            world.loops += 1
            defer { world.loops -= 1 }
            guard system.conditions.allSatisfy({ $0(world) }) else { return false }
        }
        system.repetitions = system.step?.steps(after: delta) ?? 1
        system.context?.delta = system.step?.seconds ?? delta
        return system.repetitions > 0
    }

    /// Notes the tick of a run, and makes the changes that the system has kept.
    ///
    /// Those have a later tick, as the systems that ran at the same time have not seen them.
    private func finish(_ system: System, _ tick: UInt64) {
        guard let context = system.context else { return }
        context.lastRun = tick
        if !context.commands.isEmpty { context.commands.apply() }
    }
}
