// SPDX-License-Identifier: Apache-2.0

import Lode

/// The number of a game object, and what tells it from others that have had it.
struct WorkMark: ValueComponent { var number, birth: Int64 }
struct WorkSpot: ValueComponent { var x, y: Int32 }
struct WorkAsleep: ValueComponent {}
struct WorkTitle: CodableComponent { var text: String }
/// The number of steps that the world has seen.
struct WorkClock: ValueComponent { var step: Int64 }

enum WorkFollows: Relationship {
    static let isExclusive = true
}

extension WorkStore {
    /// The world of the context.
    func openWorld() throws -> World {
        if let world { return world }
        let opened = try World(
            context: context,
            components: [WorkMark.self, WorkSpot.self, WorkAsleep.self, WorkTitle.self])
        world = opened
        return opened
    }

    /// Makes the changes of a step.
    func change(_ operations: [GameOperation], step: Int) throws {
        let world = try openWorld()
        // Spawning itself could not say that the file cannot be written.
        try world.reserve(count: operations.count)
        world[resource: WorkClock.self] = WorkClock(step: Int64(step))
        var ids: [Int: GameObjectID] = [:]
        for id in world.query(GameObjectID.self).objects {
            if let mark = world[id, WorkMark.self] { ids[Int(mark.number)] = id }
        }
        for operation in operations { try change(operation, world, &ids) }
    }

    private func change(
        _ operation: GameOperation, _ world: World, _ ids: inout [Int: GameObjectID]
    ) throws {
        func id(_ number: Int) throws -> GameObjectID {
            guard let id = ids[number] else { throw Violation("no game object \(number)") }
            return id
        }
        switch operation {
        case .spawn(let number, let birth, let isManaged):
            let mark = WorkMark(number: Int64(number), birth: Int64(birth))
            if isManaged {
                let new = try GameObject.create(name: "g\(birth)", moc: context).id(in: world)
                world[new, WorkMark.self] = mark
                ids[number] = new
            } else {
                ids[number] = world.spawn(mark)
            }
        case .despawn(let number, let byContext):
            let gone = try id(number)
            if byContext, let managed = try world.gameObject(gone) {
                context.delete(managed)
            } else {
                world.despawn(gone)
            }
            ids[number] = nil
        case .spot(let number, let x):
            world[try id(number), WorkSpot.self] = x.map { WorkSpot(x: $0, y: -$0) }
        case .title(let number, let text):
            world[try id(number), WorkTitle.self] = text.map { WorkTitle(text: $0) }
        case .asleep(let number):
            let object = try id(number)
            let isAsleep = world.has(WorkAsleep.self, object)
            world[object, WorkAsleep.self] = isAsleep ? nil : WorkAsleep()
        case .follow(let number, let leader):
            let object = try id(number)
            if let leader {
                world.relate(object, WorkFollows.self, to: try id(leader))
            } else if let old = world.target(of: object, WorkFollows.self) {
                world.unrelate(object, WorkFollows.self, from: old)
            }
        }
    }

    /// The game objects of the store, with links and managed objects looked at from both sides.
    ///
    /// - Throws: Violation where two sides differ, and what reading throws.
    func game(step: Int) throws -> GameState {
        let world = try openWorld()
        let clock = world[resource: WorkClock.self].map { Int($0.step) } ?? 0
        guard clock == step else {
            throw Violation("the world is at step \(clock), the objects are at \(step)")
        }
        var state = GameState()
        var names: Set<String> = []
        for id in world.query(GameObjectID.self).objects {
            guard let mark = world[id, WorkMark.self] else {
                throw Violation("the game object \(id) has no mark")
            }
            let spot = world[id, WorkSpot.self]
            guard spot.map({ $0.y == -$0.x }) != false else {
                throw Violation("the spot of \(id) is torn")
            }
            let managed = try world.gameObject(id)
            if let managed { names.insert(managed.name ?? "") }
            guard managed.map({ $0.name == "g\(mark.birth)" }) != false else {
                throw Violation("the managed object of \(id) is another")
            }
            let leader = world.target(of: id, WorkFollows.self)
            guard leader.map({ world.sources(of: $0, WorkFollows.self).contains(id) }) != false
            else { throw Violation("\(id) is not among those that follow its leader") }
            let body = GameState.Body(
                birth: Int(mark.birth), isManaged: managed != nil, spot: spot?.x,
                title: world[id, WorkTitle.self]?.text, isAsleep: world.has(WorkAsleep.self, id),
                leader: leader.flatMap { world[$0, WorkMark.self].map { Int($0.birth) } })
            guard state.bodies.updateValue(body, forKey: Int(mark.number)) == nil else {
                throw Violation("two game objects have the number \(mark.number)")
            }
        }
        let managed: [GameObject] = try all("GameObject")
        guard Set(managed.compactMap(\.name)) == names, managed.count == names.count else {
            throw Violation("managed game objects that the world does not have")
        }
        return state
    }
}
