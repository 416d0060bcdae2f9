// SPDX-License-Identifier: Apache-2.0

import Traps

/// Systems in an order, run over a world again and again.
///
/// ```swift
/// let schedule = Schedule(stages: "input", "update")
/// schedule.add("move", Mut<Position>.self, Velocity.self) { position, velocity, context in
///     position.x += velocity.x * Float(context.delta)
/// }.inStage("update")
/// while isRunning { try schedule.run(world, delta: 1.0 / 60) }
/// ```
///
/// Stages run one after the other. In a stage, systems run at the same time unless one writes what
/// another one uses, or their order is stated. Systems that conflict without a stated order run in
/// the order in which they were added, see ``ambiguities()``. Behind each group of systems that may
/// run at the same time is a *sync point*, where the commands of the group are applied in the
/// order of the schedule. Observers are told at the end of each stage, and those of what happened
/// between two runs at the beginning of the second.
///
/// A schedule is deterministic: over equal worlds it gives equal results, on one thread as on
/// several, including the IDs of new game objects. Only code of a program's own that depends on
/// time, on chance or on state shared by systems can make a difference.
///
/// - Note: One thread uses a schedule at a time, and uses the world.
public final class Schedule {
    /// The systems in the order in which they were added.
    public private(set) var systems: [System] = []
    var stageList: [Stage]
    private var plan: SchedulePlan?
    private var greatestThreads = Processors.count
    /// The world of the last run.
    var world: World?
    /// The times of fixed steps that the next run begins with; nil to go on.
    var nextTimes: StepTimes?
    var isRunning = false
    /// What a thread more must save, in nanoseconds: starting one takes a few thousand.
    package var leastGain: UInt64 = 20_000

    /// A part of a run.
    struct Stage {
        let name: String
        var step: FixedStep?
    }

    /// Makes a schedule without systems.
    ///
    /// - Parameter stages: The names of the stages in their order; without any there is the one
    ///   stage `update`.
    public init(stages: String...) {
        stageList = (stages.isEmpty ? ["update"] : stages).map { Stage(name: $0) }
        for (place, name) in stages.enumerated() where stages[..<place].contains(name) {
            trap("two stages are named \(name)")
        }
    }

    /// The names of the stages in their order.
    public var stages: [String] { stageList.map(\.name) }

    /// The most threads that run systems at the same time; the number of processors unless set.
    ///
    /// With 1 all systems run on the caller's thread, one after the other in the order of the
    /// schedule. Groups of systems that took very little time the last time do so in any case, as
    /// handing them to threads would take longer.
    public var threads: Int {
        get { greatestThreads }
        set {
            require(newValue > 0, "a schedule with \(newValue) threads; it needs at least one")
            greatestThreads = newValue
        }
    }

    // MARK: Contents

    /// Adds a stage behind the others.
    ///
    /// - Parameters:
    ///   - name: The name, which no other stage has.
    ///   - seconds: The length of a fixed step of time; nil to run once in each run of the
    ///     schedule. The time of the runs adds up, and the stage runs once for each step that is
    ///     full, with all of its sync points; ``SystemContext/delta`` is the length of the step.
    ///     What is left is no part of the world: a program that saves it keeps ``stepTimes``, too.
    ///   - limit: The most steps in one run of the schedule. Time beyond them is dropped, so that a
    ///     program that is too slow does not fall behind further and further.
    public func addStage(_ name: String, every seconds: Double? = nil, atMost limit: Int = 8) {
        require(!stages.contains(name), "two stages are named \(name)")
        stageList.append(Stage(name: name, step: seconds.map { FixedStep($0, limit) }))
        forgetPlan()
    }

    /// Adds a system; traps for one that belongs to a schedule already.
    ///
    /// - Returns: The system, to state its stage, order and conditions.
    @discardableResult
    public func add<S: System>(_ system: S) -> S {
        require(system.schedule == nil, "system \(system.name) belongs to a schedule already")
        system.schedule = self
        systems.append(system)
        forgetPlan()
        return system
    }

    /// Adds a system that runs alone, with the whole world.
    ///
    /// - Parameters:
    ///   - name: The name, by which others state their order.
    ///   - body: Called once a run on the thread that runs the schedule.
    @discardableResult
    public func addExclusive(
        _ name: String, _ body: @escaping (World, SystemContext) -> Void
    ) -> System {
        add(System(exclusive: name, body))
    }

    // MARK: Order

    /// Orders the systems, which else the next run does.
    ///
    /// - Throws: A ``ScheduleError`` when there is no order, or a name is unknown or given twice.
    /// - Complexity: O(systems of a stage squared) after a change, else O(1)
    public func prepare() throws(ScheduleError) { _ = try makePlan() }

    /// The pairs of systems of a stage that use the same components without a stated order.
    public func ambiguities() throws(ScheduleError) -> [Ambiguity] { try makePlan().ambiguities }

    /// The names of the systems in the groups that may run at the same time, by stage.
    public func groups() throws(ScheduleError) -> [[[String]]] {
        try makePlan().waves.map { $0.map { $0.map(\.name) } }
    }

    func makePlan() throws(ScheduleError) -> SchedulePlan {
        if let plan { return plan }
        let made = try SchedulePlan(systems, stages: stages)
        plan = made
        return made
    }

    /// Orders the systems anew before the next run.
    func forgetPlan() { plan = nil }
}
