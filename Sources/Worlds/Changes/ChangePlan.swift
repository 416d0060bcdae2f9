// SPDX-License-Identifier: Apache-2.0

/// What a world will have when changes are made, and what of them cannot be.
///
/// The rules of relationships hold for changes as they do for calls: what goes takes along what its
/// cascades say, no circle is closed in an acyclic kind, and what is held by a relationship stays.
struct ChangePlan {
    let world: World
    let changes: WorldChanges
    /// The game objects that go: those that the changes name, and what goes with them.
    private(set) var gone: [Int] = []
    /// For each of them the one that takes it along; its own row for those that the changes name.
    private var causes: [Int: Int] = [:]
    private let came: Set<Int>
    /// By kind: the rows whose present links the changes end or replace.
    private let touched: [String: Set<Int>]

    init(_ world: World, _ changes: WorldChanges) {
        self.world = world
        self.changes = changes
        let objects = changes.parts.first { $0.type.name == World.aliveName }
        let came = Set(objects?.rows ?? [])
        self.came = came
        touched = Dictionary(
            uniqueKeysWithValues: changes.parts.lazy.filter { $0.type.kind.rules != nil }
                .map { part in
                    let kept = world.names[part.type.name]?.ownLinks(part) ?? [:]
                    let replaced = part.rows.filter { kept[$0] == nil }
                    return (part.type.name, Set(part.removed + replaced))
                })
        for row in objects?.removed ?? [] where world.alive.has(row) && !came.contains(row) {
            causes[row] = row
            gone.append(row)
        }
        takeAlong()
    }

    private mutating func takeAlong() {
        let columns = world.linkColumns.filter { $0.whenTargetDespawns == .cascade }
        var next = 0
        while next < gone.count {
            for column in columns {
                for source in sources(of: gone[next], column) where causes[source] == nil {
                    causes[source] = gone[next]
                    gone.append(source)
                }
            }
            next += 1
        }
    }

    /// The sources of links to a game object that the changes leave alone.
    private func sources(of target: Int, _ column: Column) -> [Int] {
        column.links(to: target).filter { touched[column.type.name]?.contains($0) != true }
            .map { column.ends(of: $0).source }
    }

    private func has(_ row: Int) -> Bool {
        causes[row] == nil && (came.contains(row) || world.alive.has(row))
    }

    /// Whether a value of a part is of game objects that there will be.
    func allows(_ part: WorldChanges.Part, _ index: Int) -> Bool {
        let row = part.rows[index]
        if part.type.name == World.aliveName { return row != 0 }
        if let rules = part.type.kind.rules {
            let ends = part.ends(at: index)
            return has(ends.source) && has(ends.target)
                && (ends.source == row || !rules.isExclusive)
        }
        return has(row) || !part.type.kind.hasRowsOfObjects
    }

    // MARK: Rules

    /// The first relationship that holds a game object that would go.
    var denial: AnyLink? {
        for column in world.linkColumns where column.whenTargetDespawns == .deny {
            for target in gone {
                let source = sources(of: target, column).first { causes[$0] == nil }
                guard let source else { continue }
                return AnyLink(
                    kind: column.type.name, source: world.id(ofRow: source),
                    target: world.id(ofRow: target))
            }
        }
        return nil
    }

    /// The game object that the changes name and that takes a given one along.
    func root(of row: Int) -> Int {
        var row = row
        while let cause = causes[row], cause != row { row = cause }
        return row
    }

    /// The first link of the changes that would close a circle.
    var circle: (part: Int, index: Int)? {
        for (place, part) in changes.parts.enumerated() {
            let column = world.names[part.type.name]
            guard (column?.type ?? part.type).kind.rules?.isAcyclic == true else { continue }
            if let index = circle(part, column) { return (place, index) }
        }
        return nil
    }

    private func circle(_ part: WorldChanges.Part, _ column: Column?) -> Int? {
        var added: [Int: [Int]] = [:]
        let new = part.rows.indices.filter { index in
            let ends = part.ends(at: index)
            added[ends.source, default: []].append(ends.target)
            return column?.hasLink(part.rows[index], ends) != true
        }
        guard !new.isEmpty else { return nil }
        let touched = touched[part.type.name] ?? []
        let circles = Circles(from: new.map { part.ends(at: $0).target }) { row in
            var targets = added[row] ?? []
            guard let column else { return targets }
            for link in column.links(from: row) where !touched.contains(link) {
                let target = column.ends(of: link).target
                if has(target) { targets.append(target) }
            }
            return targets
        }
        return new.first { circles.has(part.ends(at: $0)) }
    }
}

/// Changes without some of them.
extension ChangePlan {
    /// The changes without something that cannot be; nil if all of them can be made.
    func withoutImpossible() -> WorldChanges? {
        var rest = WorldChanges(entity: changes.entity)
        for part in changes.parts {
            rest.add(part.keeping { allows(part, $0) })
        }
        if rest.count < changes.count { return rest }
        if let denial { return keeping(root(of: denial.target.row)) }
        guard let circle else { return nil }
        rest = changes
        rest.parts[circle.part] = changes.parts[circle.part].keeping { $0 != circle.index }
        rest.parts.removeAll(where: \.isEmpty)
        return rest
    }

    /// The changes without those that take a game object away, or what it has.
    private func keeping(_ row: Int) -> WorldChanges {
        var rest = WorldChanges(entity: changes.entity)
        for var part in changes.parts {
            part.removed.removeAll { removed in
                guard let column = world.names[part.type.name], column.has(removed) else {
                    return false
                }
                guard column.isOfLinks else {
                    return part.type.kind.hasRowsOfObjects && removed == row
                }
                let ends = column.ends(of: removed)
                return ends.source == row || ends.target == row
            }
            rest.add(part)
        }
        return rest
    }
}

extension WorldChanges.Part {
    /// The ends of a link.
    func ends(at index: Int) -> LinkTable.Ends {
        values.withUnsafeBytes { values in
            let place = index * type.stride
            return LinkTable.Ends(
                values.loadUnaligned(fromByteOffset: place, as: GameObjectID.self).row,
                values.loadUnaligned(fromByteOffset: place + 8, as: GameObjectID.self).row)
        }
    }

    /// The part with some of its values.
    func keeping(_ isKept: (Int) -> Bool) -> WorldChanges.Part {
        let kept = rows.indices.filter(isKept)
        guard kept.count < rows.count else { return self }
        var rest = WorldChanges.Part(
            type: type, removed: removed, removedEnds: removedEnds, contents: contents)
        for index in kept {
            let start = index * type.stride
            rest.rows.append(rows[index])
            rest.values += values[start..<start + type.stride]
        }
        return rest
    }
}

extension Column {
    /// What becomes of sources; nil for a column of components.
    fileprivate var whenTargetDespawns: RelationshipDeleteRule? {
        type.kind.rules?.whenTargetDespawns
    }

    /// Whether a row has a link with given ends.
    func hasLink(_ row: Int, _ ends: LinkTable.Ends) -> Bool {
        place(of: row).map { LinkTable.Ends($0) } == ends
    }
}
