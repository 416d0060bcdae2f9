// SPDX-License-Identifier: Apache-2.0

/// Taking game objects out of a world, as the rules of their relationships say.
extension World {
    /// Takes a game object out of the world, with all of its components and relationships.
    ///
    /// What becomes of the game objects that are related to it is for
    /// ``Relationship/whenTargetDespawns`` to say: they stay, they go as well, or they keep it in
    /// the world. In that case nothing happens at all; ``denials(ofDespawning:)`` tells why.
    ///
    /// - Returns: Whether the world had it, and it is gone now.
    /// - Complexity: O(component types + links), for each game object that goes.
    @discardableResult
    public func despawn(_ object: GameObjectID) -> Bool {
        checkNoLoop("despawning \(object)")
        guard isAlive(object) else { return false }
        guard hasSources(object) else {
            takeOut(object)
            return true
        }
        let leaving = companions(of: [object.row])
        guard denials(leaving, among: leaving).isEmpty else { return false }
        for object in leaving { takeOut(object) }
        return true
    }

    /// Takes game objects out of the world, each as ``despawn(_:)-(GameObjectID)``.
    public func despawn(_ objects: some Sequence<GameObjectID>) {
        for object in objects { despawn(object) }
    }

    /// The relationships that keep a game object from being despawned; none if it can be.
    public func denials(ofDespawning object: GameObjectID) -> [AnyLink] {
        guard isAlive(object) else { return [] }
        let leaving = companions(of: [object.row])
        return denials(leaving, among: leaving)
    }

    /// The game objects that go along with one by a cascade of its own relationships.
    package func directCompanions(of object: GameObjectID) -> [GameObjectID] {
        guard isAlive(object), hasSources(object) else { return [] }
        return linkColumns(whoseRuleIs: .cascade).flatMap { $0.sources(of: object.row) }
            .map(id(ofRow:))
    }

    private func linkColumns(whoseRuleIs rule: RelationshipDeleteRule) -> [Column] {
        linkColumns.filter { $0.type.kind.rules?.whenTargetDespawns == rule }
    }

    private func hasSources(_ object: GameObjectID) -> Bool {
        linkColumns.contains { $0.linkTable.byTarget.first(of: object.row) != 0 }
    }

    /// Game objects, which the world has, and all that go with them.
    func companions(of rows: [Int]) -> [GameObjectID] {
        var result: [Int] = []
        var known: Set<Int> = []
        for row in rows where known.insert(row).inserted { result.append(row) }
        let columns = linkColumns(whoseRuleIs: .cascade)
        var next = 0
        while next < result.count {
            for column in columns {
                for source in column.sources(of: result[next])
                where known.insert(source).inserted { result.append(source) }
            }
            next += 1
        }
        return result.map(id(ofRow:))
    }

    /// The relationships by which game objects that stay keep some of those that are to go.
    func denials(_ objects: [GameObjectID], among leaving: [GameObjectID]) -> [AnyLink] {
        let columns = linkColumns(whoseRuleIs: .deny)
        guard !columns.isEmpty else { return [] }
        let gone = Set(leaving)
        var result: [AnyLink] = []
        for column in columns {
            for target in objects {
                let sources = column.sources(of: target.row).map(id(ofRow:))
                result += sources.filter { !gone.contains($0) }.map {
                    AnyLink(kind: column.type.name, source: $0, target: target)
                }
            }
        }
        return result
    }

    /// Takes a game object out that is gone elsewhere, and what goes with it; nothing can deny it.
    private func takeAway(_ object: GameObjectID) {
        guard isAlive(object) else { return }
        for object in companions(of: [object.row]) where isAlive(object) { takeOut(object) }
    }

    /// Takes one game object out, with its links and components.
    func takeOut(_ object: GameObjectID) {
        for column in linkColumns where column.count > 0 { removeLinks(of: object.row, column) }
        for column in columns where column.type.kind.hasRowsOfObjects {
            column.remove(object.row, now)
        }
        backing?.didDespawn(object)
    }

    private func removeLinks(of row: Int, _ column: Column) {
        for link in column.links(to: row) { column.remove(link, now) }
        for link in column.links(from: row) { column.remove(link, now) }
    }

    /// Ends links of game objects that are gone, where others have taken these away.
    ///
    /// The rule of the kind decides what becomes of the sources; it is too late to deny.
    package func endLooseLinks() {
        for column in linkColumns {
            var loose: [Int] = []
            column.forEachValue { row, value in
                let ends = LinkTable.Ends(value)
                if !alive.has(ends.source) || !alive.has(ends.target) { loose.append(row) }
            }
            for link in loose where column.has(link) { endLoose(link, column) }
        }
    }

    private func endLoose(_ link: Int, _ column: Column) {
        let source = column.ends(of: link).source
        column.remove(link, now)
        guard column.type.kind.rules?.whenTargetDespawns == .cascade, alive.has(source) else {
            return
        }
        takeAway(id(ofRow: source))
    }
}
