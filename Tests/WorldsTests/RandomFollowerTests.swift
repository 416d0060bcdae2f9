// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds
import _TestSupport

private enum Owns: Relationship {
    static let whenTargetDespawns = RelationshipDeleteRule.cascade
}
private enum Rides: Relationship { static let isExclusive = true }

/// A leader whose followers get its changes at different times, and relate game objects themselves,
/// and sets of pairs that say what all of them must have.
@Suite struct RandomFollowerTests {
    fileprivate struct Pair: Hashable {
        let source, target: GameObjectID
    }

    /// The kinds, and what is related by them.
    fileprivate struct Kinds: Equatable {
        var likes: Set<Pair> = []
        var children: Set<Pair> = []
        var needs: Set<Pair> = []
        var owns: Set<Pair> = []
        var rides: Set<Pair> = []

        static var all: [WritableKeyPath<Kinds, Set<Pair>>] {
            [\.likes, \.children, \.needs, \.owns, \.rides]
        }
    }

    fileprivate struct Model {
        var alive: [GameObjectID] = []
        var kinds = Kinds()
        /// The pairs that the leader has had, with the ticks in which they have ended.
        var ended: [(pair: Pair, tick: UInt64)] = []

        /// Notes which pairs have ended since a state.
        mutating func noteEnded(since likes: Set<Pair>, _ tick: UInt64) {
            ended += likes.subtracting(kinds.likes).map { ($0, tick) }
        }
    }

    /// A copy that gets changes, and the state of the leader that it had last.
    fileprivate struct Follower {
        let world: World
        var tick: UInt64
        var state: World
        /// The pairs that it has related itself, and that the leader has not told of since.
        var likes: Set<Pair> = []
        /// Those of the state.
        var stateLikes: Set<Pair> = []
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func followers_have_what_pairs_say(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let world = World()
        var model = Model()
        model.alive += world.spawnAll(count: 8)
        var followers = (0..<4).map { _ in
            Follower(world: world.copy(), tick: world.tick - 1, state: world.copy())
        }
        for step in 0..<2_500 {
            let comment: Comment = "seed \(random.seed), step \(step)"
            let before = model.kinds.likes
            if Int.random(in: 0..<40, using: &random) == 0 {
                try merge(into: world, &model, &random)
            } else {
                change(world, &model, &random)
            }
            model.noteEnded(since: before, world.tick)
            for place in followers.indices where Int.random(in: 0..<6, using: &random) == 0 {
                relate(&followers[place], model, &random)
            }
            for place in followers.indices where Int.random(in: 0..<12, using: &random) == 0 {
                try follow(&followers[place], place, world, model)
                compare(followers[place], model, comment)
            }
            guard Int.random(in: 0..<10, using: &random) == 0 else { continue }
            try follow(&followers[0], 0, world, model)
            try follow(&followers[1], 1, world, model)
            compare(world, model, comment)
            compare(followers[0], model, comment)
            world.advance()
            followers[0].world.advance()
        }
        for place in followers.indices {
            try follow(&followers[place], place, world, model)
            compare(followers[place], model, "seed \(random.seed)")
        }
    }

    /// Has a follower relate game objects by itself, or end such a link.
    private func relate(
        _ follower: inout Follower, _ model: Model, _ random: inout SeededGenerator
    ) {
        let alive = follower.world.query(GameObjectID.self).objects
        guard let source = alive.randomElement(using: &random),
            let target = alive.randomElement(using: &random)
        else { return }
        let pair = Pair(source: source, target: target)
        if follower.likes.contains(pair) {
            #expect(follower.world.unrelate(source, Likes.self, from: target))
            follower.likes.remove(pair)
        } else if follower.world.relate(source, Likes.self, to: target) {
            follower.likes.insert(pair)
        }
    }

    /// Brings a follower up to date: by what the tick has brought, several times a tick; by what
    /// came since it was asked last; by a comparison; and by one with what it had.
    ///
    /// Its own pairs stay, but for those that the leader has ended meanwhile.
    private func follow(
        _ follower: inout Follower, _ place: Int, _ leader: World, _ model: Model
    ) throws {
        let since = place == 0 ? leader.lastAdvance : follower.tick
        switch place {
        case 0, 1: follower.likes.subtract(model.ended.filter { $0.tick > since }.map(\.pair))
        case 2: follower.likes = []
        default: follower.likes.subtract(follower.stateLikes)
        }
        let alive = Set(model.alive)
        follower.likes.subtract(model.kinds.likes)
        follower.likes = follower.likes.filter {
            alive.contains($0.source) && alive.contains($0.target)
        }
        let changes =
            switch place {
            case 0: leader.diff(since: leader.lastAdvance)
            case 1: leader.diff(since: follower.tick)
            case 2: leader.diff(from: follower.world)
            default: leader.diff(from: follower.state)
            }
        try follower.world.apply(try WorldChanges(bytes: changes.bytes))
        // What comes later in the tick has the same one.
        follower.tick = leader.tick - 1
        if place == 3 { (follower.state, follower.stateLikes) = (leader.copy(), model.kinds.likes) }
    }

    /// Has copies relate game objects by themselves, with links of the same rows, and takes the
    /// changes of all of them over.
    private func merge(
        into world: World, _ model: inout Model, _ random: inout SeededGenerator
    ) throws {
        let base = world.copy()
        let copies = [base.copy(), base.copy()]
        for copy in copies {
            for _ in 0..<Int.random(in: 1..<5, using: &random) {
                guard let pair = model.pair(&random) else { return }
                copy.relate(pair.source, Likes.self, to: pair.target)
                model.kinds.likes.insert(pair)
            }
        }
        for copy in copies { try world.apply(copy.diff(from: base)) }
    }

    private func change(_ world: World, _ model: inout Model, _ random: inout SeededGenerator) {
        guard let pair = model.pair(&random) else { return model.alive.append(world.spawn()) }
        switch Int.random(in: 0..<16, using: &random) {
        case 0: model.alive.append(world.spawn())
        case 1 where model.alive.count > 6:
            #expect(world.despawn(pair.source) == model.despawn(pair.source))
        case 2, 3, 4: model.relate(pair, \.likes, world, Likes.self)
        case 5, 6: model.unrelate(pair, \.likes, world, Likes.self, &random)
        case 7: model.relate(pair, \.owns, world, Owns.self)
        case 8, 9: model.unrelate(pair, \.owns, world, Owns.self, &random)
        case 10, 11: model.relate(pair, \.rides, world, Rides.self)
        case 12: model.unrelate(pair, \.rides, world, Rides.self, &random)
        case 13: model.relate(pair, \.needs, world, Needs.self)
        case 14: model.unrelate(pair, \.needs, world, Needs.self, &random)
        default:
            if Bool.random(using: &random) {
                model.relate(pair, \.children, world, ChildOf.self)
            } else {
                model.unrelate(pair, \.children, world, ChildOf.self, &random)
            }
        }
    }

    private func compare(_ follower: Follower, _ model: Model, _ comment: Comment) {
        var model = model
        model.kinds.likes.formUnion(follower.likes)
        compare(follower.world, model, comment)
    }

    private func compare(_ world: World, _ model: Model, _ comment: Comment) {
        #expect(world.query(GameObjectID.self).objects == model.alive.sorted(), comment)
        #expect(world.count == model.alive.count, comment)
        compare(world, Likes.self, model.kinds.likes, comment)
        compare(world, ChildOf.self, model.kinds.children, comment)
        compare(world, Needs.self, model.kinds.needs, comment)
        compare(world, Owns.self, model.kinds.owns, comment)
        compare(world, Rides.self, model.kinds.rides, comment)
    }

    private func compare<Kind: Relationship>(
        _ world: World, _ kind: Kind.Type, _ pairs: Set<Pair>, _ comment: Comment
    ) {
        var found: [Pair] = []
        world.query(Link<Kind>.self).forEach {
            found.append(Pair(source: $0.source, target: $0.target))
        }
        #expect(found.count == pairs.count, comment)
        #expect(Set(found) == pairs, comment)
        let (bySource, byTarget) = (
            Dictionary(grouping: pairs, by: \.source), Dictionary(grouping: pairs, by: \.target)
        )
        for object in world.query(GameObjectID.self).objects {
            let targets = bySource[object]?.map(\.target).sorted() ?? []
            let sources = byTarget[object]?.map(\.source).sorted() ?? []
            #expect(world.targets(of: object, kind) == targets, comment)
            #expect(world.sources(of: object, kind) == sources, comment)
        }
    }
}

extension RandomFollowerTests.Model {
    fileprivate typealias Pair = RandomFollowerTests.Pair
    fileprivate typealias Place = WritableKeyPath<RandomFollowerTests.Kinds, Set<Pair>>

    fileprivate func pair(_ random: inout SeededGenerator) -> Pair? {
        guard let source = alive.randomElement(using: &random),
            let target = alive.randomElement(using: &random)
        else { return nil }
        return Pair(source: source, target: target)
    }

    fileprivate mutating func relate<Kind: Relationship>(
        _ pair: Pair, _ place: Place, _ world: World, _ kind: Kind.Type
    ) {
        let isNew = !kinds[keyPath: place].contains(pair)
        if isNew, Kind.isAcyclic, leads(from: pair.target, to: pair.source, place) { return }
        #expect(world.relate(pair.source, kind, to: pair.target) == isNew)
        if Kind.isExclusive {
            kinds[keyPath: place] = kinds[keyPath: place].filter { $0.source != pair.source }
        }
        kinds[keyPath: place].insert(pair)
    }

    /// Ends the relationship of a pair, sometimes to make it anew at once.
    fileprivate mutating func unrelate<Kind: Relationship>(
        _ pair: Pair, _ place: Place, _ world: World, _ kind: Kind.Type,
        _ random: inout SeededGenerator
    ) {
        let pair =
            kinds[keyPath: place].sorted { $0.order < $1.order }
            .randomElement(using: &random) ?? pair
        let was = kinds[keyPath: place].remove(pair) != nil
        #expect(world.unrelate(pair.source, kind, from: pair.target) == was)
        guard was, Int.random(in: 0..<3, using: &random) == 0 else { return }
        relate(pair, place, world, kind)
    }

    private func leads(
        from source: GameObjectID, to target: GameObjectID, _ place: Place
    ) -> Bool {
        var waiting = [source]
        var known: Set<GameObjectID> = []
        while let next = waiting.popLast() {
            if next == target { return true }
            guard known.insert(next).inserted else { continue }
            waiting += kinds[keyPath: place].filter { $0.source == next }.map(\.target)
        }
        return false
    }

    /// Takes a game object away, unless something that stays needs what goes.
    fileprivate mutating func despawn(_ object: GameObjectID) -> Bool {
        var gone: Set = [object]
        var next = [object]
        while let target = next.popLast() {
            for pair in kinds.children.union(kinds.owns)
            where pair.target == target && gone.insert(pair.source).inserted {
                next.append(pair.source)
            }
        }
        let isHeld = kinds.needs.contains { gone.contains($0.target) && !gone.contains($0.source) }
        if isHeld { return false }
        alive.removeAll { gone.contains($0) }
        for place in RandomFollowerTests.Kinds.all {
            kinds[keyPath: place] = kinds[keyPath: place].filter {
                !gone.contains($0.source) && !gone.contains($0.target)
            }
        }
        return true
    }
}

extension RandomFollowerTests.Pair {
    fileprivate var order: (GameObjectID, GameObjectID) { (source, target) }
}
