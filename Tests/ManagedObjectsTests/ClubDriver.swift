// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import _TestSupport

/// Does the same to a context and to plain sets: changes of many members at a time.
struct ClubDriver {
    let stack: Stack
    var random: SplitMix64
    var oracle = ClubOracle()
    /// What the context has saved, into its parent if it has one.
    private(set) var committed = ClubOracle()
    /// What is in the stores.
    private(set) var saved = ClubOracle()
    /// From the root to the context that is driven.
    let contexts: [NSManagedObjectContext]
    private let stores: [NSPersistentStore]
    private var next = 0
    private var held: [NSManagedObject] = []
    /// What was done last.
    private(set) var last = ""
    private var undone: [ClubOracle] = []
    private var redone: [ClubOracle] = []

    /// - Parameters:
    ///   - depth: How many parents the context has.
    ///   - storeCount: In how many stores the objects are: numbers say in which.
    init(seed: UInt64, depth: Int, storeCount: Int) throws {
        stack = try Stack(ClubModel.make())
        random = SplitMix64(state: seed)
        let coordinator = stack.container.persistentStoreCoordinator
        let configuration = coordinator.persistentStores[0].configurationName
        for number in 1..<storeCount {
            try coordinator.addPersistentStore(
                type: .sqlite, configuration: configuration,
                at: stack.directory.appendingPathComponent("\(number).lode"),
                options: [LodeDurabilityOption: "none"])
        }
        stores = coordinator.persistentStores
        var made = [stack.container.newBackgroundContext()]
        for level in 0..<depth { made.append(Stack.child(of: made[level])) }
        contexts = made
        context.undoManager = UndoManager()
        for _ in 0..<3 * storeCount { makeClub() }
        context.processPendingChanges()
        undone.append(ClubOracle())
    }

    var context: NSManagedObjectContext { contexts[contexts.count - 1] }
    var undoCounts: [Int] { [undone.count, redone.count] }

    // MARK: Finding

    private func all(_ entity: String) throws -> [Int: NSManagedObject] {
        Dictionary(uniqueKeysWithValues: try context.all(entity).map { ($0.number("number"), $0) })
    }

    private func objects(_ numbers: [Int]) throws -> [NSManagedObject] {
        let known = try all("Animal")
        return numbers.compactMap { known[$0] }
    }

    private func club(_ number: Int) throws -> NSManagedObject {
        guard let found = try all("Club")[number] else { throw CocoaError(.fileNoSuchFile) }
        return found
    }

    private mutating func pickClub() -> Int {
        oracle.clubs.keys.sorted()[random.below(oracle.clubs.count)]
    }

    /// The animals of a club's store.
    private func animals(near club: Int) -> [Int] {
        oracle.animals.keys.filter { $0 % stores.count == club % stores.count }.sorted()
    }

    /// Some of a list: the first, the last, all, or any, and in any order.
    private mutating func some(_ numbers: [Int]) -> [Int] {
        let count = 1 + random.below(max(1, min(numbers.count, 70)))
        var result: [Int]
        switch random.below(5) {
        case 0: result = Array(numbers.prefix(count))
        case 1, 2: result = Array(numbers.suffix(count))
        case 3: result = Array(numbers.shuffled(using: &random).prefix(count))
        default: result = random.below(4) == 0 ? numbers : Array(numbers.suffix(1))
        }
        switch random.below(4) {
        case 0: result.reverse()
        case 1: result.shuffle(using: &random)
        default: break
        }
        return result
    }

    private mutating func number(in store: Int) -> Int {
        next += 1
        return next * stores.count + store
    }

    // MARK: Changes

    mutating func step() throws {
        let before = oracle
        let choice = random.below(100)
        last = "\(choice)"
        switch choice {
        case let number where number < 60:
            try edit(number)
            context.processPendingChanges()
            if before != oracle {
                undone.append(before)
                redone = []
            }
        case 60..<64: try obtainIDs()
        case 64..<68: try refresh()
        case 68..<70: context.refreshAllObjects()
        case 70..<72: held = try context.all("Animal") + context.all("Club")
        case 72..<73: held = []
        case 73..<81: undo()
        case 81..<87: redo()
        case 87..<96: try save()
        default: rollback()
        }
    }

    private mutating func edit(_ number: Int) throws {
        // All of them may be undone.
        guard !oracle.clubs.isEmpty else { return makeClub() }
        switch number {
        case 0..<16: try insert()
        case 16..<26: try remove()
        case 26..<32: try add()
        case 32..<38: try setAll()
        case 38..<46: try own()
        case 46..<55: try changeLine()
        case 55..<58: try delete()
        default: makeClub()
        }
    }

    private mutating func makeClub() {
        let number = number(in: random.below(stores.count))
        let club = context.make("Club", ["number": number])
        context.assign(club, to: stores[number % stores.count])
        oracle.clubs[number] = ClubOracle.Club()
    }

    private mutating func insert() throws {
        let clubNumber = pickClub()
        let club = try club(clubNumber)
        let count = 1 + random.below(40)
        let (way, kinds) = (random.below(6), random.below(3))
        for place in 0..<count {
            let number = number(in: clubNumber % stores.count)
            let isCat = kinds == 2 ? place % 2 == 0 : kinds == 0
            let animal = context.make(isCat ? "Cat" : "Dog", ["number": number])
            context.assign(animal, to: stores[number % stores.count])
            oracle.animals[number] = isCat
            switch way {
            case 0: animal.setValue(club, forKey: "owner")
            case 1: animal.mutableSetValue(forKey: "clubs").add(club)
            case 2: club.mutableSetValue(forKey: "members").add(animal)
            case 3: club.mutableSetValue(forKey: "owned").add(animal)
            case 4: club.mutableOrderedSetValue(forKey: "line").add(animal)
            default: animal.mutableSetValue(forKey: "lines").add(club)
            }
            switch way {
            case 0, 3: oracle.clubs[clubNumber]?.owned.insert(number)
            case 1, 2: oracle.clubs[clubNumber]?.members.insert(number)
            default: oracle.clubs[clubNumber]?.line.append(number)
            }
        }
    }

    private mutating func remove() throws {
        let number = pickClub()
        let gone = some((oracle.clubs[number]?.members ?? []).sorted())
        let (club, animals) = (try club(number), try objects(gone))
        last += " \(number) loses \(gone)"
        if random.below(2) == 0 {
            let set = club.mutableSetValue(forKey: "members")
            for animal in animals { set.remove(animal) }
        } else {
            for animal in animals { animal.mutableSetValue(forKey: "clubs").remove(club) }
        }
        oracle.clubs[number]?.members.subtract(gone)
    }

    private mutating func add() throws {
        let number = pickClub()
        let new = some(animals(near: number))
        let (club, animals) = (try club(number), try objects(new))
        last += " \(number) gets \(new)"
        switch random.below(3) {
        case 0:
            let set = club.mutableSetValue(forKey: "members")
            for animal in animals { set.add(animal) }
        case 1:
            for animal in animals { animal.mutableSetValue(forKey: "clubs").add(club) }
        default: club.mutableSetValue(forKey: "members").addObjects(from: animals)
        }
        oracle.clubs[number]?.members.formUnion(new)
    }

    private mutating func setAll() throws {
        let number = pickClub()
        let new = some(animals(near: number))
        let key = random.below(2) == 0 ? "members" : "owned"
        last += " \(number) has \(key) \(new)"
        try club(number).setValue(Set(objects(new)), forKey: key)
        if key == "members" {
            oracle.clubs[number]?.members = Set(new)
        } else {
            oracle.clubs[number]?.owned = []
            oracle.own(number, new)
        }
    }

    private mutating func own() throws {
        let number = pickClub()
        switch random.below(4) {
        case 0:
            let gone = some((oracle.clubs[number]?.owned ?? []).sorted())
            for animal in try objects(gone) { animal.setValue(nil, forKey: "owner") }
            oracle.own(nil, gone)
        case 1:
            let gone = some((oracle.clubs[number]?.owned ?? []).sorted())
            let set = try club(number).mutableSetValue(forKey: "owned")
            for animal in try objects(gone) { set.remove(animal) }
            oracle.own(nil, gone)
        case 2:
            let new = some(animals(near: number))
            let club = try club(number)
            for animal in try objects(new) { animal.setValue(club, forKey: "owner") }
            oracle.own(number, new)
        default:
            let new = some(animals(near: number))
            let set = try club(number).mutableSetValue(forKey: "owned")
            for animal in try objects(new) { set.add(animal) }
            oracle.own(number, new)
        }
    }

    private mutating func changeLine() throws {
        let number = pickClub()
        let club = try club(number)
        var line = oracle.clubs[number]?.line ?? []
        switch random.below(5) {
        case 0:
            line.shuffle(using: &random)
            club.setValue(NSOrderedSet(array: try objects(line)), forKey: "line")
        case 1:
            line = some(animals(near: number))
            club.setValue(NSOrderedSet(array: try objects(line)), forKey: "line")
        case 2:
            let gone = some(line)
            let isHere = random.below(2) == 0
            for animal in try objects(gone) {
                if isHere {
                    club.mutableOrderedSetValue(forKey: "line").remove(animal)
                } else {
                    animal.mutableSetValue(forKey: "lines").remove(club)
                }
            }
            line.removeAll { gone.contains($0) }
        case 3:
            let new = some(animals(near: number)).filter { !line.contains($0) }
            let place = random.below(line.count + 1)
            let set = club.mutableOrderedSetValue(forKey: "line")
            for (offset, animal) in try objects(new).enumerated() {
                set.insert(animal, at: place + offset)
            }
            line.insert(contentsOf: new, at: place)
        default:
            let new = some(animals(near: number)).filter { !line.contains($0) }
            for animal in try objects(new) {
                animal.mutableSetValue(forKey: "lines").add(club)
            }
            line += new
        }
        oracle.clubs[number]?.line = line
    }

    private mutating func delete() throws {
        let gone = Array(some(animals(near: pickClub())).prefix(20))
        for animal in try objects(gone) { context.delete(animal) }
        oracle.delete(gone)
    }

    // MARK: What changes nothing

    private mutating func obtainIDs() throws {
        let new = context.insertedObjects.sorted { $0.number("number") < $1.number("number") }
        guard !new.isEmpty else { return }
        try context.obtainPermanentIDs(for: Array(new.prefix(1 + random.below(new.count))))
    }

    private mutating func refresh() throws {
        guard !oracle.clubs.isEmpty else { return }
        context.refresh(try club(pickClub()), mergeChanges: true)
        for animal in try objects(some(animals(near: pickClub()))) {
            context.refresh(animal, mergeChanges: true)
        }
    }

    // MARK: Back and on

    private mutating func undo() {
        context.undo()
        guard let state = undone.popLast() else { return }
        redone.append(oracle)
        oracle = state
    }

    private mutating func redo() {
        context.redo()
        guard let state = redone.popLast() else { return }
        undone.append(oracle)
        oracle = state
    }

    private mutating func save() throws {
        try context.save()
        committed = oracle
        guard contexts.count == 1 || random.below(2) == 0 else { return }
        for ancestor in contexts.dropLast().reversed() { try ancestor.save() }
        saved = oracle
    }

    private mutating func rollback() {
        context.rollback()
        oracle = committed
        (undone, redone) = ([], [])
    }
}
