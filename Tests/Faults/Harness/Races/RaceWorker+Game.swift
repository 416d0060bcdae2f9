// SPDX-License-Identifier: Apache-2.0

import Lode

/// What workers with a world do to game objects.
extension RaceWorker {
    /// Shows what others have committed, which fits together whoever they are.
    func look() throws {
        guard hasWorld else { return }
        let world = try RaceGame.open(store)
        try world.refresh()
        try RaceGame.check(world, store)
    }

    /// Changes what only this worker changes, in chunks that others write, too.
    func changeOwnGame() throws -> RaceTally.Effects {
        let world = try RaceGame.open(store)
        let place = random.below(RaceGame.perWorker)
        guard
            let own = RaceGame.objects(
                world,
                { $0.role == .own && $0.worker == self.number && $0.number == place }
            ).first
        else { throw Violation("a game object of a worker is gone") }
        guard random.chance(2) else {
            raise(world, own)
            let length = random.pick([0, 3, 3_000])
            world[own, RaceTitle.self] = RaceTitle(
                length: length, text: String(repeating: "t", count: length))
            return ["count \(number) \(place)": 1]
        }
        let target = random.below(RaceGame.shared)
        let other = try sharedObject(world, target)
        let key = "knows \(number) \(place) \(target)"
        if world.unrelate(own, RaceKnows.self, from: other) { return [key: -1] }
        world.relate(own, RaceKnows.self, to: other)
        return [key: 1]
    }

    /// Changes what all change, where a conflict has to fail.
    func changeSharedGame() throws -> RaceTally.Effects {
        let world = try RaceGame.open(store)
        switch random.below(4) {
        case 0:
            let place = random.below(RaceGame.shared)
            raise(world, try sharedObject(world, place))
            return ["all \(place)": 1]
        case 1:
            turn += 1
            let leader = try spawn(world, .leader, isManaged: true)
            for _ in 0..<2 { try spawnFollower(world, of: leader) }
            return ["leader \(number) \(turn)": 1]
        default:
            let leaders = RaceGame.objects(world) { $0.role == .leader }
            guard !leaders.isEmpty else { return try changeOwnGame() }
            let leader = random.pick(leaders)
            guard let mark = world[leader, RaceMark.self],
                let managed = try world.gameObject(leader)
            else { return try changeOwnGame() }
            // As an object: what goes along is for the world to find.
            context.delete(managed)
            return ["leader \(mark.worker) \(mark.number)": -1]
        }
    }

    /// Makes links and followers, which others may make or end at the same time: they are in no
    /// sum, but have to fit to the rest.
    func disturbGame() throws {
        let world = try RaceGame.open(store)
        let one = try sharedObject(world, random.below(RaceGame.shared))
        let other = try sharedObject(world, random.below(RaceGame.shared))
        if random.chance(3) {
            world.unrelate(one, RaceKnows.self, from: other)
        } else {
            world.relate(one, RaceKnows.self, to: other)
        }
        let leaders = RaceGame.objects(world) { $0.role == .leader }
        if !leaders.isEmpty, random.chance(2) {
            try spawnFollower(world, of: random.pick(leaders))
        }
    }

    private func raise(_ world: World, _ id: GameObjectID) {
        turn += 1
        let count = world[id, RaceCount.self]?.count ?? 0
        world[id, RaceCount.self] = RaceCount(
            count: count + 1, worker: Int32(number), turn: Int32(turn))
    }

    private func spawn(
        _ world: World, _ role: RaceMark.Role, isManaged: Bool
    ) throws -> GameObjectID {
        // Spawning itself could not say that the file cannot be written.
        try world.reserve(count: 1)
        let id =
            isManaged
            ? try GameObject.create(name: "\(role)", moc: context).id(in: world) : world.spawn()
        world[id, RaceMark.self] = RaceGame.mark(role, number, turn, isManaged: isManaged)
        return id
    }

    private func spawnFollower(_ world: World, of leader: GameObjectID) throws {
        let follower = try spawn(world, .follower, isManaged: random.chance(2))
        world.relate(follower, RaceFollows.self, to: leader)
    }

    private func sharedObject(_ world: World, _ number: Int) throws -> GameObjectID {
        guard
            let found = RaceGame.objects(
                world, { $0.role == .shared && $0.number == number }
            ).first
        else { throw Violation("a shared game object is gone") }
        return found
    }
}
