// SPDX-License-Identifier: Apache-2.0

import Traps

/// A piece of a program's logic that a ``Schedule`` runs over a world.
///
/// ```swift
/// let steer = System("steer", reading: Target.self, writing: Velocity.self) { context in
///     context.query(Mut<Velocity>.self, Target.self).forEach { velocity, target in
///         velocity.x = target.x
///     }
/// }
/// schedule.add(steer).after("input").before("move")
/// ```
///
/// A system declares the components that it reads and writes. By that the schedule knows which
/// systems may run at the same time; a use that was not declared traps. A system that is one loop
/// over a query need not declare anything, see ``QuerySystem``; one that needs the whole world is
/// *exclusive*, and runs alone.
///
/// - Note: A system belongs to one schedule, and is used by one thread at a time. The body is
///   called on any thread, except an exclusive one, which is called on the thread of
///   ``Schedule/run(_:delta:)``.
public class System {
    /// The name, which no other system of the schedule has.
    public let name: String
    /// Whether the system runs alone, with the whole world.
    public let isExclusive: Bool
    /// What the system uses, as columns of a world.
    private let declare: (World) -> [TermColumn]
    private let body: (SystemContext) -> Void

    weak var schedule: Schedule?
    var stage: String?
    var predecessors: [String] = []
    var successors: [String] = []
    var conditions: [(World) -> Bool] = []
    var step: FixedStep?
    /// The context for the world that the schedule runs over.
    var context: SystemContext?
    /// How often the body is to be called in the present wave.
    var repetitions = 1
    /// The nanoseconds that the last run took.
    var duration: UInt64 = 0

    init(
        name: String, isExclusive: Bool, declare: @escaping (World) -> [TermColumn],
        body: @escaping (SystemContext) -> Void
    ) {
        self.name = name
        self.isExclusive = isExclusive
        self.declare = declare
        self.body = body
    }

    /// Makes a system that declares what it uses.
    ///
    /// - Parameters:
    ///   - name: The name, by which others state their order.
    ///   - reads: The components that the body reads.
    ///   - writes: The components that the body writes, which it may read as well.
    ///   - body: Called once a run.
    public convenience init<each R: WorldComponent, each W: WorldComponent>(
        _ name: String, reading reads: repeat (each R).Type, writing writes: repeat (each W).Type,
        body: @escaping @Sendable (SystemContext) -> Void
    ) {
        let terms = System.readTerms(repeat each reads) + System.writtenTerms(repeat each writes)
        let declare = { [terms] (world: World) in terms.map { $0.__column(world) } }
        self.init(name: name, isExclusive: false, declare: declare, body: body)
    }

    /// Makes a system that uses no components, but gives commands.
    public convenience init(
        _ name: String, body: @escaping @Sendable (SystemContext) -> Void
    ) {
        // Not left to empty packs above: optimised calls of those crash the compiler (Swift 6.3).
        self.init(name: name, isExclusive: false, declare: { _ in [] }, body: body)
    }

    /// Makes a system that runs alone, with the whole world.
    ///
    /// - Parameters:
    ///   - name: The name, by which others state their order.
    ///   - body: Called once a run on the thread that runs the schedule. Game objects may come and
    ///     go in it at once.
    public convenience init(
        exclusive name: String, _ body: @escaping (World, SystemContext) -> Void
    ) {
        self.init(name: name, isExclusive: true, declare: { _ in [] }) { body($0.world, $0) }
    }

    private static func readTerms<each R: WorldComponent>(
        _ types: repeat (each R).Type
    ) -> [any QueryTerm.Type] {
        var terms: [any QueryTerm.Type] = []
        for type in repeat each types { terms.append(type) }
        return terms
    }

    private static func writtenTerms<each W: WorldComponent>(
        _ types: repeat (each W).Type
    ) -> [any QueryTerm.Type] {
        func term<C: WorldComponent>(_ type: C.Type) -> any QueryTerm.Type { Mut<C>.self }
        var terms: [any QueryTerm.Type] = []
        for type in repeat each types { terms.append(term(type)) }
        return terms
    }

    // MARK: Running

    /// What the system may use; nil for everything.
    func access(in world: World) -> SystemAccess? {
        isExclusive ? nil : SystemAccess(name, terms(in: world))
    }

    func terms(in world: World) -> [TermColumn] { declare(world) }

    /// Forgets earlier runs, and gets ready for those over a world.
    func bind(to world: World) {
        context = SystemContext(name, world, access(in: world))
        step?.reset()
        duration = 0
    }

    /// Gets ready what the system uses, while no system runs.
    func prepare() {}

    func run(_ context: SystemContext) { body(context) }
}

/// When and in which order a system runs.
extension System {
    /// Puts the system into a stage of its schedule; without one it is in the first.
    @discardableResult
    public func inStage(_ name: String) -> Self { changing { $0.stage = name } }

    /// Lets the system run, and its commands be applied, before another one begins.
    @discardableResult
    public func before(_ names: String...) -> Self { changing { $0.successors += names } }

    /// Lets the system run after another one has ended, and its commands were applied.
    @discardableResult
    public func after(_ names: String...) -> Self { changing { $0.predecessors += names } }

    /// Lets the system run only while a condition holds; several must all hold.
    ///
    /// - Parameter condition: Called on the thread that runs the schedule when it is the system's
    ///   turn, after the last sync point. It may read everything; adding and removing traps.
    @discardableResult
    public func when(_ condition: @escaping (World) -> Bool) -> Self {
        changing { $0.conditions.append(condition) }
    }

    /// Lets the system run in fixed steps of time instead of once for each run of the schedule.
    ///
    /// The time of the schedule's runs adds up, and the system runs once for each step that is
    /// full: not at all in some runs of the schedule, and several times in others, one after the
    /// other without a sync point. ``SystemContext/delta`` is the length of the step. Systems that
    /// depend on each other belong into a stage with a fixed step, see
    /// ``Schedule/addStage(_:every:atMost:)``. No time adds up while a condition does not hold.
    ///
    /// - Parameters:
    ///   - seconds: The length of a step, greater than 0.
    ///   - limit: The most steps in one run of the schedule. Time beyond them is dropped, so that a
    ///     program that is too slow does not fall behind further and further.
    @discardableResult
    public func every(_ seconds: Double, atMost limit: Int = 8) -> Self {
        changing { $0.step = FixedStep(seconds, limit) }
    }

    private func changing(_ change: (System) -> Void) -> Self {
        change(self)
        schedule?.forgetPlan()
        return self
    }
}
