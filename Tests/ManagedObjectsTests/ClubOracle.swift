// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

/// Clubs as plain sets of numbers: what a context is compared with.
struct ClubOracle: Equatable {
    struct Club: Equatable {
        var members: Set<Int> = []
        var owned: Set<Int> = []
        var line: [Int] = []
    }

    var clubs: [Int: Club] = [:]
    /// The animals, and whether they are cats.
    var animals: [Int: Bool] = [:]

    init() {}

    /// What a context shows, by the relationships of clubs.
    init(_ context: NSManagedObjectContext) throws {
        for animal in try context.all("Animal") {
            animals[animal.number("number")] = animal.entity.name == "Cat"
        }
        for club in try context.all("Club") {
            clubs[club.number("number")] = Club(
                members: Set(club.many("members").map { $0.number("number") }),
                owned: Set(club.many("owned").map { $0.number("number") }),
                line: club.ordered("line").map { $0.number("number") })
        }
    }

    /// Says where animals show something else than this.
    func disagreements(_ context: NSManagedObjectContext) throws -> [String] {
        var wrong: [String] = []
        for animal in try context.all("Animal") {
            let number = animal.number("number")
            func clubs(_ key: String) -> Set<Int> {
                Set(animal.many(key).map { $0.number("number") })
            }
            let owner = animal.one("owner")?.number("number")
            if owner != self.clubs.first(where: { $0.value.owned.contains(number) })?.key {
                wrong.append("\(number) is owned by \(owner ?? 0)")
            }
            let own = Set(self.clubs.filter { $0.value.members.contains(number) }.keys)
            if clubs("clubs") != own { wrong.append("\(number) is in \(clubs("clubs"))") }
            let lines = Set(self.clubs.filter { $0.value.line.contains(number) }.keys)
            if clubs("lines") != lines { wrong.append("\(number) is in line \(clubs("lines"))") }
        }
        for (number, club) in self.clubs {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Club")
            for (key, count) in [
                ("members", club.members.count), ("owned", club.owned.count),
                ("line", club.line.count),
            ] {
                request.predicate = NSPredicate(
                    format: "number == %d AND %K.@count == %d", number, key, count)
                if try context.count(for: request) != 1 { wrong.append("\(number) counts \(key)") }
            }
        }
        return wrong
    }

    mutating func own(_ club: Int?, _ animals: [Int]) {
        for other in clubs.keys { clubs[other]?.owned.subtract(animals) }
        if let club { clubs[club]?.owned.formUnion(animals) }
    }

    mutating func delete(_ gone: [Int]) {
        for number in gone { animals[number] = nil }
        for club in clubs.keys {
            clubs[club]?.members.subtract(gone)
            clubs[club]?.owned.subtract(gone)
            clubs[club]?.line.removeAll { gone.contains($0) }
        }
    }
}
