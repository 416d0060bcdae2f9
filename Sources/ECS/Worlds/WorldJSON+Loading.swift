// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Foundation
import Worlds

extension WorldJSON {
    /// Which IDs the game objects of a document get.
    public enum IDs: Sendable {
        /// Those of the document: a game object that the world has is changed, any other one gets
        /// its ID of the document. Loading a document a second time changes nothing.
        ///
        /// This is for an empty world, and for one that the document or a part of it is from; in
        /// another one the same IDs are those of other game objects.
        case kept
        /// New ones: each time that a document is loaded, its game objects are made again.
        case new
    }

    /// Loads a document into a world.
    ///
    /// Components and relationships are added to those that there are; a component that is there is
    /// set, and is not touched if it has the value already. References of components and
    /// relationships follow the IDs that game objects get. A document that cannot be loaded leaves
    /// the world as it is.
    ///
    /// - Parameters:
    ///   - data: The document.
    ///   - world: The world, in memory or in a file.
    ///   - ids: Which IDs its game objects get. The number of the entity in them is always that of
    ///     the world.
    /// - Returns: The ID that each of the document's game objects has in the world.
    /// - Throws: `DecodingError` for a document that is not as ``WorldJSON`` says; what reserving
    ///   IDs in a file throws, as in one that cannot be written; `CocoaError`
    ///   134060 for an ID that occurs twice, for one that another game object of the world has had,
    ///   for a relationship to a game object that there is not, and for a circle in an acyclic one.
    /// - Complexity: O(values)
    @discardableResult
    public func load(
        _ data: Data, into world: World, ids: IDs = .kept
    ) throws -> [GameObjectID: GameObjectID] {
        world.checkIdle("loading a document")
        let decoder = JSONDecoder()
        if let key = ValuesForm.codecsKey { decoder.userInfo[key] = codecs }
        let document = try decoder.decode(WorldDocument.self, from: data)
        try check(document)
        if ids == .new { try world.reserve(count: document.objects.count) }
        let map = try newIDs(document, world, ids)
        try checkLinks(document, map, world, ids)
        let rename = { (id: GameObjectID) in
            map[id] ?? (ids == .kept ? id : GameObjectID(rawValue: 0))
        }
        try checkReferences(document, rename)
        if ids == .kept {
            try world.claim(
                map.values.filter { !world.isAlive($0) }.map(\.row),
                types: lastRows(document, map))
        }
        // Behind the claim, as rows for links may be taken from those that it wants.
        let links = links(document, map, world, ids)
        try reserveRows(for: links, in: world)
        for object in document.objects {
            guard let id = map[object.id] else { continue }
            world.adopt(id)
        }
        for object in document.objects {
            for value in object.components.values { value.set(world, map[object.id], rename) }
        }
        for value in document.resources.values { value.set(world, nil, rename) }
        relate(links, in: world)
        return map
    }

    /// The types that the document's game objects have, each with the last row that has it.
    private func lastRows(
        _ document: WorldDocument, _ map: [GameObjectID: GameObjectID]
    ) -> [(type: ComponentType, last: Int)] {
        var last: [String: Int] = [:]
        for object in document.objects {
            guard let row = map[object.id]?.row else { continue }
            let values = object.components.values.map(\.name)
            for name in values + object.relationships.keys {
                last[name] = max(last[name] ?? 0, row)
            }
        }
        return last.compactMap { name, row in
            (codecs[name]?.type ?? kinds[name]?.type).map { ($0, row) }
        }
    }

    /// Takes rows for the links that are to come, as making them cannot throw.
    private func reserveRows(
        for links: [(GameObjectID, RelationshipCodec, GameObjectID)], in world: World
    ) throws {
        var counts: [String: Int] = [:]
        for (source, kind, target) in links where !kind.isRelated(world, source, target) {
            counts[kind.name, default: 0] += 1
        }
        for (name, count) in counts { try kinds[name]?.reserve(world, count) }
    }

    private func check(_ document: WorldDocument) throws {
        var known: Set<GameObjectID> = []
        for object in document.objects {
            guard known.insert(object.id).inserted else {
                throw CoreDataError.make(.coreData, "the document has \(object.id) twice")
            }
            for name in object.relationships.keys where kinds[name] == nil {
                throw CoreDataError.make(
                    .coreData,
                    "\(object.id) has the relationship \(name), which the WorldJSON was not made "
                        + "with")
            }
        }
    }

    /// The ID in the world of each of the document's.
    private func newIDs(
        _ document: WorldDocument, _ world: World, _ ids: IDs
    ) throws -> [GameObjectID: GameObjectID] {
        var map: [GameObjectID: GameObjectID] = [:]
        switch ids {
        case .new:
            let rows = world.reservedRows(document.objects.count)
            for (object, row) in zip(document.objects, rows) {
                map[object.id] = world.id(ofRow: row)
            }
        case .kept:
            for object in document.objects { map[object.id] = world.id(ofRow: object.id.row) }
            guard Set(map.values).count == map.count else {
                throw CoreDataError.make(
                    .coreData, "the document has IDs of several entities with the same number")
            }
        }
        return map
    }

    /// Makes links; those that they replace go first, so that there is no circle on the way.
    private func relate(
        _ links: [(GameObjectID, RelationshipCodec, GameObjectID)], in world: World
    ) {
        for (source, kind, target) in links where kind.isExclusive {
            kind.unrelate(world, source, target)
        }
        for (source, kind, target) in links { kind.relate(world, source, target) }
    }

    /// Throws for IDs that would have to be replaced in places that the loader cannot look into.
    private func checkReferences(
        _ document: WorldDocument, _ rename: (GameObjectID) -> GameObjectID
    ) throws {
        for object in document.objects {
            try checkReferences(object.components, "\(object.id)", rename)
        }
        try checkReferences(document.resources, "the world", rename)
    }

    private func checkReferences(
        _ values: ValuesForm, _ owner: String, _ rename: (GameObjectID) -> GameObjectID
    ) throws {
        for value in values.values {
            guard let id = value.hiddenIDs.first(where: { rename($0) != $0 }) else { continue }
            throw CoreDataError.make(
                .coreData,
                "\(value.name) of \(owner) has the ID \(id) within an enum or the like, where it "
                    + "cannot be followed; load the document into a world that keeps its IDs")
        }
    }

    private func links(
        _ document: WorldDocument, _ map: [GameObjectID: GameObjectID], _ world: World, _ ids: IDs
    ) -> [(GameObjectID, RelationshipCodec, GameObjectID)] {
        var result: [(GameObjectID, RelationshipCodec, GameObjectID)] = []
        for object in document.objects {
            for (name, targets) in object.relationships.sorted(by: { $0.key < $1.key }) {
                for target in targets {
                    let other = map[target] ?? (ids == .kept ? world.id(ofRow: target.row) : nil)
                    guard let kind = kinds[name], let source = map[object.id], let other else {
                        continue
                    }
                    result.append((source, kind, other))
                }
            }
        }
        return result
    }

    /// Throws for a target that there is not, and for circles.
    private func checkLinks(
        _ document: WorldDocument, _ map: [GameObjectID: GameObjectID], _ world: World, _ ids: IDs
    ) throws {
        for object in document.objects {
            for (name, targets) in object.relationships {
                if kinds[name]?.isExclusive == true, Set(targets).count > 1 {
                    throw CoreDataError.make(
                        .coreData, "\(object.id) has several targets of the exclusive \(name)")
                }
                for target in targets where map[target] == nil {
                    guard ids == .kept, world.isAlive(world.id(ofRow: target.row)) else {
                        throw CoreDataError.make(
                            .coreData,
                            "\(object.id) is related by \(name) to \(target), which neither the "
                                + "document nor the world has")
                    }
                }
            }
        }
        try checkCircles(links(document, map, world, ids).filter { $0.1.isAcyclic }, world)
    }

    /// Throws for circles that new links of acyclic relationships would close.
    private func checkCircles(
        _ links: [(source: GameObjectID, kind: RelationshipCodec, target: GameObjectID)],
        _ world: World
    ) throws {
        for (name, links) in Dictionary(grouping: links, by: { $0.kind.name }) {
            guard let kind = kinds[name] else { continue }
            var added: [GameObjectID: [GameObjectID]] = [:]
            for (source, _, target) in links {
                if kind.isExclusive { added[source] = [] }
                added[source, default: []].append(target)
            }
            let new = links.filter { !kind.isRelated(world, $0.source, $0.target) }
            let circles = Circles(from: new.map { $0.target.row }) { row in
                kind.targets(world.id(ofRow: row), with: added, in: world).map(\.row)
            }
            guard let link = new.first(where: { circles.has($0.source.row, $0.target.row) }) else {
                continue
            }
            throw CoreDataError.make(
                .coreData, "following \(kind.name) from \(link.source) would lead back to it")
        }
    }
}
