// SPDX-License-Identifier: Apache-2.0

/// What a file should hold of game objects and their components: the oracle's part of a world.
struct GameState: Equatable {
    struct Body: Equatable {
        /// Tells it from others that have had its number.
        var birth: Int
        /// Whether it has a managed object.
        var isManaged: Bool
        var spot: Int32?
        var title: String?
        var isAsleep = false
        /// The birth of the one that it follows.
        var leader: Int?
    }

    static let numbers = 14

    /// By number.
    var bodies: [Int: Body] = [:]

    /// What a step does to them.
    func operations(_ seed: UInt64, step: Int) -> [GameOperation] {
        var random = FaultRandom(seed, "game", step)
        var state = self
        return (0...random.below(5)).map { index in
            let operation = GameOperation.random(&random, state, birth: step * 10 + index)
            state.apply(operation)
            return operation
        }
    }

    mutating func apply(_ operation: GameOperation) {
        switch operation {
        case .spawn(let number, let birth, let isManaged):
            bodies[number] = Body(birth: birth, isManaged: isManaged)
        case .despawn(let number, _):
            let birth = bodies.removeValue(forKey: number)?.birth
            for (other, body) in bodies where body.leader == birth { bodies[other]?.leader = nil }
        case .spot(let number, let spot): bodies[number]?.spot = spot
        case .title(let number, let title): bodies[number]?.title = title
        case .asleep(let number): bodies[number]?.isAsleep.toggle()
        case .follow(let number, let leader):
            let birth = leader.flatMap { bodies[$0]?.birth }
            bodies[number]?.leader = birth
        }
    }

    /// How another state differs from this one; nil where it does not.
    func difference(_ found: GameState) -> String? {
        for number in Set(bodies.keys).union(found.bodies.keys).sorted()
        where bodies[number] != found.bodies[number] {
            func text(_ body: Body?) -> String { body.map { "\($0)" } ?? "nothing" }
            return "game object \(number) is \(text(found.bodies[number])), should be "
                + text(bodies[number])
        }
        return nil
    }

    /// How many components a history should say were added, changed and removed since a state, by
    /// their names and kinds.
    func changes(since old: GameState) -> [String: Int] {
        var counts: [String: Int] = [:]
        func compare<Value: Equatable>(_ name: String, _ before: Value?, _ after: Value?) {
            guard before != after else { return }
            let kind = before == nil ? "insert" : after == nil ? "delete" : "update"
            counts["\(kind) of \(name)", default: 0] += 1
        }
        let before = Dictionary(uniqueKeysWithValues: old.bodies.values.map { ($0.birth, $0) })
        let after = Dictionary(uniqueKeysWithValues: bodies.values.map { ($0.birth, $0) })
        for birth in Set(before.keys).union(after.keys) {
            let (one, other) = (before[birth], after[birth])
            for name in ["GameObject", WorkMark.componentName] {
                compare(name, one.map { _ in true }, other.map { _ in true })
            }
            compare(WorkSpot.componentName, one?.spot, other?.spot)
            compare(WorkTitle.componentName, one?.title, other?.title)
            compare(
                WorkAsleep.componentName, one?.isAsleep == true ? true : nil,
                other?.isAsleep == true ? true : nil)
            compare(WorkFollows.relationshipName, one?.leader, other?.leader)
        }
        return counts
    }
}

/// One change of a game object.
enum GameOperation {
    case spawn(Int, birth: Int, isManaged: Bool)
    /// By the world, or by deleting the managed object in the context.
    case despawn(Int, byContext: Bool)
    case spot(Int, Int32?)
    case title(Int, String?)
    case asleep(Int)
    case follow(Int, Int?)

    static func random(
        _ random: inout FaultRandom, _ state: GameState, birth: Int
    ) -> GameOperation {
        let number = random.below(GameState.numbers)
        guard let body = state.bodies[number] else {
            return .spawn(number, birth: birth, isManaged: random.chance(3))
        }
        switch random.below(12) {
        case 0, 1:
            return .despawn(number, byContext: body.isManaged && random.chance(2))
        case 2, 3, 4:
            return .spot(number, random.chance(4) ? nil : Int32(random.below(1_000)))
        case 5, 6, 7:
            // Few enough that several have the same content.
            let size = random.pick([0, 1, 40, 2_000])
            let text = "\(random.below(3))" + String(repeating: "y", count: size)
            return .title(number, random.chance(4) ? nil : text)
        case 8, 9: return .asleep(number)
        default:
            let leaders = state.bodies.keys.filter { $0 != number }.sorted()
            return .follow(number, random.chance(3) || leaders.isEmpty ? nil : random.pick(leaders))
        }
    }
}
