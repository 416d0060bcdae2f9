// SPDX-License-Identifier: Apache-2.0

/// A system that is one loop over a query, of which its access follows.
///
/// ```swift
/// schedule.add("move", Mut<Position>.self, Velocity.self) { position, velocity, context in
///     position.x += velocity.x * Float(context.delta)
/// }.without(Frozen.self)
/// ```
///
/// The components of ``Mut`` terms are written; those of other terms and of filters are read.
public final class QuerySystem: System {
    private let filters = FilterList()
    private var shape: QueryShape?
    private let loop: (SystemContext, QueryShape) -> Void

    /// Filters that are stated after the system was made.
    private final class FilterList {
        var changes: [(World, inout QueryFilters) -> Void] = []
        /// Bring indexes up to date.
        var refreshes: [() -> Void] = []
    }

    @usableFromInline
    init(
        _ name: String, declare: @escaping (World) -> [TermColumn],
        _ loop: @escaping (SystemContext, QueryShape) -> Void
    ) {
        self.loop = loop
        super.init(name: name, isExclusive: false, declare: declare, body: { _ in })
    }

    @inlinable
    convenience init<Terms: QueryTerms>(
        _ name: String, _ terms: Terms.Type, _ loop: @escaping (SystemContext, QueryShape) -> Void
    ) {
        self.init(name, declare: { Terms.__columns($0) }, loop)
    }

    override func terms(in world: World) -> [TermColumn] {
        super.terms(in: world)
            + filters(in: world).readColumns.map {
                TermColumn(column: $0, isRequired: false, isWritten: false)
            }
    }

    private func filters(in world: World) -> QueryFilters {
        var result = QueryFilters()
        for change in filters.changes { change(world, &result) }
        return result
    }

    override func bind(to world: World) {
        super.bind(to: world)
        // The access follows of the shape, so runs need not check it.
        var shape = QueryShape(world, super.terms(in: world))
        shape.filters = filters(in: world)
        shape.access = context?.access
        self.shape = shape
    }

    override func prepare() {
        for refresh in filters.refreshes { refresh() }
    }

    override func run(_ context: SystemContext) {
        shape?.filters.since = context.lastRun
        if let shape { loop(context, shape) }
    }
}

/// Filters, as ``WorldQuery`` has them; what they name is declared as read.
extension QuerySystem {
    /// Visits only game objects that have a component as well.
    @discardableResult
    public func with<C: WorldComponent>(_ type: C.Type) -> Self {
        adding { world, filters in filters.with.append(world.column(type)) }
    }

    /// Visits only game objects that do not have a component.
    @discardableResult
    public func without<C: WorldComponent>(_ type: C.Type) -> Self {
        adding { world, filters in filters.without.append(world.column(type)) }
    }

    /// Visits only game objects that have at least one of some components.
    @discardableResult
    public func withAny<each C: WorldComponent>(_ types: repeat (each C).Type) -> Self {
        var group: [any WorldComponent.Type] = []
        for type in repeat (each C).self { group.append(type) }
        return adding { [group] world, filters in
            filters.groups.append(group.map { world.column($0) })
        }
    }

    /// Visits only game objects that got a component since the system's last run.
    @discardableResult
    public func added<C: WorldComponent>(_ type: C.Type) -> Self {
        adding { world, filters in filters.added.append((world.column(type), nil)) }
    }

    /// Visits only game objects of which others added or changed a component since the system's
    /// last run.
    @discardableResult
    public func changed<C: WorldComponent>(_ type: C.Type) -> Self {
        adding { world, filters in filters.changed.append((world.column(type), nil)) }
    }

    /// Visits only game objects that have lost a component since the system's last run, whether or
    /// not they have got it again.
    ///
    /// A world forgets what was removed before its last but one ``World/advance()``, and each run
    /// of a schedule advances it: a program that advances it between two runs as well has to ask
    /// ``World/removals(of:since:)`` before it does.
    @discardableResult
    public func removed<C: WorldComponent>(_ type: C.Type) -> Self {
        adding { world, filters in
            filters.rows.append(.removed(world.column(type), since: nil))
        }
    }

    /// Has an index take in, before the system's turn, what other systems have changed.
    func refreshing(_ refresh: @escaping () -> Void) -> Self {
        filters.refreshes.append(refresh)
        return self
    }

    func adding(_ change: @escaping (World, inout QueryFilters) -> Void) -> Self {
        filters.changes.append(change)
        // The columns of the filters are found anew.
        context = nil
        schedule?.forgetPlan()
        return self
    }
}
