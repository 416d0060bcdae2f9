// SPDX-License-Identifier: Apache-2.0

import Traps

/// Game objects and their value components: what systems run over.
///
/// ```swift
/// let world = World()
/// let ship = world.spawn(Position(x: 0, y: 0), Velocity(x: 1, y: 0))
/// world.query(Mut<Position>.self, Velocity.self).forEach { position, velocity in
///     position.x += velocity.x
/// }
/// print(world[ship, Position.self]!)
/// ```
///
/// A world that is made like this is in memory. One of a context is kept in the context's data
/// file and saved with it; its API is the same.
///
/// Time is counted in *ticks*. ``advance()`` begins the next one, and queries for what was added
/// or changed mean: since the last advance, unless they name a tick. Removed values are remembered
/// until the next advance but one. In a world that was never advanced, a look at its file and a
/// save stand for that, see `refresh()`; one in memory remembers all of them, so advance it.
///
/// - Note: One thread uses a world at a time. ``Query/parallelForEach(_:)`` and a schedule divide
///   work among threads themselves.
public final class World {
    // SAFETY: one thread at a time changes a world; systems that run beside each other change
    // values of different columns alone. No access calls code of the program before it is over.
    @exclusivity(unchecked) @usableFromInline var index = ColumnIndex()
    /// All columns; the first says which game objects there are.
    @usableFromInline package var columns: ContiguousArray<Column> = []
    @usableFromInline package let alive: Column
    // SAFETY: the column and its head live as long as the world.
    @usableFromInline let aliveHead: UnsafeMutablePointer<ColumnHead>
    /// The columns of links.
    private(set) var linkColumns: [Column] = []
    private(set) var names: [String: Column] = [:]
    private var swiftTypes: [String: any Any.Type] = [:]

    /// The tick of changes that are made now.
    public var tick: UInt64 { now }
    // SAFETY: as above.
    @exclusivity(unchecked) @usableFromInline private(set) var now: UInt64 = 1
    /// The tick up to which ``advance()`` has closed the past.
    public private(set) var lastAdvance: UInt64 = 0
    private var earlierAdvance: UInt64 = 0
    /// The tick up to which the last look or save has closed the past of a world without advances.
    private var lastLook: UInt64 = 0
    /// The tick up to which removals are forgotten.
    private var forgotten: UInt64 = 0
    /// Whether keys of contents are on their way into columns, so that no content may go.
    var keepsContents = false

    /// The entity number in the IDs of the world.
    @usableFromInline package let entity: UInt16
    /// The ID of row 0.
    @usableFromInline let firstID: UInt64
    // SAFETY: as above; where rows are reserved, nothing of the world is called.
    @exclusivity(unchecked) @usableFromInline package var rows: RowSource
    /// The rows that came with an ID from outside, and that no other object of this world ever had.
    package var claimedRows: Set<Int> = []
    /// The rows of game objects that came by changes of other worlds since the last save.
    package var broughtRows: Set<Int> = []
    /// The greatest of them that another program may have reserved; 0 for none.
    package var takenRow = 0
    /// The first row that applying changes has reserved last; that of no row if it had no need.
    var firstReserved = Int.max
    /// The commands that have rows of game objects to come.
    var spawning: [WeakCommands] = []
    /// Loops that are running, in which objects must neither come nor go.
    // SAFETY: as above.
    @exclusivity(unchecked) @usableFromInline var loops = 0
    /// Whether several systems are running at once.
    // SAFETY: as above.
    @exclusivity(unchecked) @usableFromInline var isParallel = false {
        didSet { changeNote.isDeferred = isParallel }
    }
    let observers = ObserverList()
    /// Where queries have looked in vain.
    let keptMisses = KeptMisses()
    /// Tells copies whether they are from this world.
    let token = WorldToken()
    /// What keeps the world in a file; nil for a world in memory.
    package var backing: (any WorldBacking)?
    /// What undoing keeps of the world.
    package var undoRecord: AnyObject?

    /// The name of the column that says which game objects there are.
    package static let aliveName = "GameObject"

    /// Makes an empty world in memory.
    public convenience init() { self.init(entity: 1, rows: RowSource(), keepsBase: false) }

    package init(entity: UInt16, rows: RowSource, keepsBase: Bool) {
        self.entity = entity
        firstID = GameObjectID(entity: entity, row: 0).rawValue
        self.rows = rows
        self.keepsBase = keepsBase
        alive = Column(
            ComponentType(name: World.aliveName, size: 0, stride: 0, alignment: 1, fields: ""),
            index: 0, keepsBase: keepsBase, note: changeNote)
        aliveHead = alive.head
        columns.append(alive)
        names[World.aliveName] = alive
    }

    /// Whether changed chunks keep what they were until they are saved.
    private let keepsBase: Bool
    let changeNote = ChangeNote()

    deinit {
        backing?.worldEnds()
        index.deallocate()
    }

    // MARK: Columns

    /// The column of a component type, which is made when there is none.
    @inlinable @inline(__always)
    func column<C: WorldComponent>(_ type: C.Type) -> Column { storedColumn(C.__Stored.self) }

    /// The column of what is kept of a component type, which is made when there is none.
    @inlinable @inline(__always)
    func storedColumn<C: StoredComponent>(_ type: C.Type) -> Column {
        // SAFETY: the world keeps its columns.
        index.find(type)?.pointee.column?.takeUnretainedValue() ?? register(type)
    }

    /// The column of a component type for a change, without counting a reference to it.
    ///
    /// Counting is an atomic operation, which waits for all memory accesses before it: they would
    /// come one after the other, and most of them are far from the processor.
    // SAFETY: the world keeps its columns, so the reference is good while the world is.
    @inlinable @inline(__always)
    func columnToChange<C: StoredComponent>(_ type: C.Type) -> Unmanaged<Column> {
        let key = ColumnIndex.key(type)
        let cell = index[key]
        guard _fastPath(cell.pointee.key == key) else { return registerToChange(type) }
        // SAFETY: a cell with a key has a head, and each head has the column that it is part of.
        return unsafe cell.pointee.head.unsafelyUnwrapped.pointee.column.unsafelyUnwrapped
    }

    // SAFETY: as above.
    @usableFromInline @inline(never)
    func registerToChange<C: StoredComponent>(_ type: C.Type) -> Unmanaged<Column> {
        // The loose column of a type that is not known yet would live for this function alone.
        if isParallel, index.find(type) == nil { checkNoLoop("adding \(C.componentName)") }
        return Unmanaged.passUnretained(storedColumn(type))
    }

    /// The place of a game object's value; nil if it has none.
    @inlinable @inline(__always)
    func place<C: StoredComponent>(_ type: C.Type, _ row: Int) -> UnsafeMutablePointer<C>? {
        // SAFETY: the column of the type has places of its size and alignment, see `register`; its
        // head lives as long as the world.
        let key = ColumnIndex.key(type)
        let cell = index[key]
        guard _fastPath(cell.pointee.key == key) else { return findPlace(type, row) }
        // The cell says that the column has the usual layout of the type.
        return unsafe cell.pointee.head.unsafelyUnwrapped.pointee
            .place(of: row, UsualLayout(of: type))?.assumingMemoryBound(to: C.self)
    }

    /// As ``place(_:_:)``, for the first mention of a type: a file may have its column already.
    @usableFromInline @inline(never)
    func findPlace<C: StoredComponent>(_ type: C.Type, _ row: Int) -> UnsafeMutablePointer<C>? {
        // SAFETY: as above.
        storedColumn(type).place(of: row)?.assumingMemoryBound(to: C.self)
    }

    @usableFromInline
    func register<C: StoredComponent>(_ type: C.Type) -> Column {
        let described = ComponentType(type)
        require(
            described.name != World.aliveName,
            "the name \(World.aliveName) is that of game objects themselves; give the type "
                + "another componentName")
        if let obstacle = described.nameObstacle { trap(obstacle) }
        // Systems that run side by side read the list of columns, so it must stay as it is. No
        // game object has a component without a column, which is what a loose empty one says.
        guard !isParallel else { return Column(described, index: -1, keepsBase: false) }
        let column = column(describedBy: described)
        if let obstacle = column.type.successorObstacle { trap(obstacle) }
        if let other = swiftTypes[described.name], other != type {
            trap(
                "two component types are named \(described.name): \(String(reflecting: other)) and "
                    + "\(String(reflecting: type)); give one of them another componentName")
        }
        require(
            column.type.isStored(as: described),
            "the world has \(column.type), and the program \(described); "
                + "give the type another componentName, or migrate the column")
        column.type = described.with(detailsOf: column.type)
        if let coder = C.__coder {
            do { try use(coder, for: column) } catch {
                trap("\(error); name the type in World(context:components:) to get an error")
            }
        }
        swiftTypes[described.name] = type
        if column.contents == nil { column.gaps = ValueGaps(of: type, stride: described.stride) }
        index.add(column, for: type)
        return column
    }

    /// The Swift type of a column's values; nil before the program has named it.
    ///
    /// The column may be one of another world.
    func swiftType(of column: Column) -> (any StoredComponent.Type)? {
        guard names[column.type.name]?.type.isStored(as: column.type) == true else { return nil }
        return swiftTypes[column.type.name] as? any StoredComponent.Type
    }

    /// Takes over which Swift types the columns have, from a world with the same ones.
    func takeSwiftTypes(of other: World) { swiftTypes = other.swiftTypes }

    /// The column of a described type, which is made when there is none of its name.
    package func column(describedBy type: ComponentType) -> Column {
        if let known = names[type.name] {
            if known.type.fields != type.fields { known.type = known.type.with(detailsOf: type) }
            return known
        }
        let column = Column(
            type, index: columns.count, keepsBase: keepsBase, note: changeNote)
        columns.append(column)
        names[type.name] = column
        if column.links != nil { linkColumns.append(column) }
        return column
    }

    /// Makes component types known before they are used.
    ///
    /// A file's columns are compared with the types; see the errors of the world's initialiser.
    public func register<each C: WorldComponent>(_ types: repeat (each C).Type) {
        for type in repeat each types { _ = column(type) }
    }

    /// The component types that the world has columns of, in the order in which it met them.
    public var componentTypes: [ComponentType] {
        columns.dropFirst().map(\.type).filter { $0.kind == .component && $0.successor == nil }
    }

    // MARK: Time

    /// Begins the next tick, and tells observers what happened in the last one.
    ///
    /// What observers change belongs to the new tick.
    public func advance() {
        checkNoLoop("advancing")
        let last = now
        deliverEvents()
        // An observer may have advanced the world itself.
        if lastAdvance < last { (earlierAdvance, lastAdvance) = (lastAdvance, last) }
        if now == last { now += 1 }
        forgetRemovals(upTo: earlierAdvance)
        sweepContents()
        // Their changes belong to the new tick, so that its systems see them.
        backing?.didAdvance()
    }

    /// Ends a tick of a world that nobody advances: its removals are not kept for good.
    ///
    /// - Parameter tick: The tick that a look at the file, or a save, has ended.
    package func didLook(closing tick: UInt64) {
        guard lastAdvance == 0 else { return }
        // Observers have not heard of what came later.
        let unseen = observers.entries.map(\.seen).min() ?? .max
        forgetRemovals(upTo: min(lastLook, unseen))
        lastLook = tick
    }

    private func forgetRemovals(upTo tick: UInt64) {
        forgotten = max(forgotten, tick)
        for column in columns { column.removals.forget(upTo: tick) }
    }

    /// Traps for a tick whose removals are forgotten.
    func checkOldest(_ tick: UInt64) {
        require(
            tick >= forgotten,
            "changes since tick \(tick), and removals up to tick \(forgotten) are forgotten")
    }

    /// Begins a tick within the present one, so that later changes can be told from earlier ones.
    ///
    /// - Returns: The tick that ended.
    @usableFromInline
    @discardableResult
    package func step() -> UInt64 {
        now += 1
        return now - 1
    }

    /// Whether no query and no system runs over the world.
    package var isIdle: Bool { loops == 0 && !isParallel }

    /// Traps while a query or a system runs over the world.
    package func checkIdle(_ what: StaticString) { checkNoLoop("\(what)") }

    @inlinable @inline(__always)
    func checkNoLoop(_ what: @autoclosure () -> String) {
        require(
            loops == 0 && !isParallel,
            "\(what()) while a query or a system runs over the world; use its commands")
    }
}
