// SPDX-License-Identifier: Apache-2.0

import Lode

/// What a game object of a race is for.
struct RaceMark: ValueComponent {
    enum Role: UInt8, BitwiseCopyable {
        /// One worker changes it, in a chunk that all write.
        case own
        /// All change it.
        case shared
        /// Has a managed object, and is made and deleted by all.
        case leader
        /// Goes with its leader.
        case follower
    }

    var role: Role
    /// Whether it has a managed object.
    var isManaged: Bool
    var worker: UInt16
    var number: UInt32
}

/// A number that grows; who has raised it last tells it from one that another has raised as much,
/// as two equal values are no conflict.
struct RaceCount: ValueComponent {
    var count: Int64
    var worker: Int32
    var turn: Int32
}
/// As many bytes as it says, to be torn.
struct RaceTitle: CodableComponent {
    var length: Int
    var text: String
}
enum RaceKnows: Relationship {}
enum RaceFollows: Relationship {
    static let isExclusive = true
    static let whenTargetDespawns = RelationshipDeleteRule.cascade
}

/// The game objects of a race.
enum RaceGame {
    static let shared = 4
    static let perWorker = 2

    /// Makes the game objects that stay.
    static func fill(_ store: WorkStore) throws {
        let world = try open(store)
        let zero = RaceCount(count: 0, worker: 0, turn: 0)
        // By turns, so that the rows of a worker lie between those of others.
        for number in 0..<perWorker {
            for worker in 0..<RaceModel.workers {
                world.spawn(mark(.own, worker, number), zero)
            }
        }
        for number in 0..<shared { world.spawn(mark(.shared, 0, number), zero) }
        try store.context.save()
    }

    static func mark(
        _ role: RaceMark.Role, _ worker: Int, _ number: Int, isManaged: Bool = false
    ) -> RaceMark {
        RaceMark(
            role: role, isManaged: isManaged, worker: UInt16(worker), number: UInt32(number))
    }

    static func open(_ store: WorkStore) throws -> World {
        if let world = store.world { return world }
        let world = try World(
            context: store.context,
            components: [
                RaceMark.self, RaceCount.self, RaceTitle.self, Link<RaceKnows>.self,
                Link<RaceFollows>.self,
            ])
        store.world = world
        return world
    }

    static func objects(
        _ world: World, _ isWanted: (RaceMark) -> Bool
    ) -> [GameObjectID] {
        var found: [GameObjectID] = []
        world.query(GameObjectID.self, RaceMark.self).forEach { id, mark in
            if isWanted(mark) { found.append(id) }
        }
        return found
    }

    /// What saves have added to game objects, once these are looked at from all sides.
    ///
    /// - Throws: Violation where a commit is seen in part.
    static func sums(in store: WorkStore) throws -> RaceTally.Effects {
        let world = try open(store)
        try check(world, store)
        var sums: RaceTally.Effects = [:]
        for id in world.query(GameObjectID.self).objects {
            guard let mark = world[id, RaceMark.self] else { continue }
            switch mark.role {
            case .own:
                sums["count \(mark.worker) \(mark.number)"] = count(world, id)
                for target in world.targets(of: id, RaceKnows.self) {
                    guard let other = world[target, RaceMark.self] else { continue }
                    sums["knows \(mark.worker) \(mark.number) \(other.number)"] = 1
                }
            case .shared: sums["all \(mark.number)"] = count(world, id)
            case .leader: sums["leader \(mark.worker) \(mark.number)"] = 1
            case .follower: break
            }
        }
        return sums
    }

    private static func count(_ world: World, _ id: GameObjectID) -> Int {
        world[id, RaceCount.self].map { Int($0.count) } ?? -1
    }

    /// Throws where the world of a commit does not fit together.
    static func check(_ world: World, _ store: WorkStore) throws {
        guard !store.context.hasChanges else {
            throw Violation("a commit has left something of a deletion to the next one")
        }
        var pairs: Set<[GameObjectID]> = []
        var count = 0
        world.query(Link<RaceKnows>.self).forEach { link in
            pairs.insert([link.source, link.target])
            count += 1
        }
        guard pairs.count == count else {
            throw Violation("\(pairs.count) pairs are related by \(count) links")
        }
        for id in world.query(GameObjectID.self).objects {
            guard let mark = world[id, RaceMark.self] else {
                throw Violation("the game object \(id) has no mark")
            }
            if let title = world[id, RaceTitle.self], title.text.utf8.count != title.length {
                throw Violation("the title of \(id) is torn")
            }
            guard mark.role == .follower else { continue }
            guard let leader = world.target(of: id, RaceFollows.self), world.isAlive(leader),
                world.sources(of: leader, RaceFollows.self).contains(id)
            else { throw Violation("the follower \(id) is without its leader") }
        }
    }

    /// Throws where managed objects are not those of the world's game objects.
    static func checkManaged(_ world: World, _ store: WorkStore) throws {
        let managed: [GameObject] = try store.all("GameObject")
        let ids = try Set(managed.map { try $0.id(in: world) })
        guard ids == Set(objects(world, \.isManaged)) else {
            throw Violation("\(ids.count) managed game objects are not those of the world")
        }
    }
}
