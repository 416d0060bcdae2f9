// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

@testable import ManagedObjects

/// Relationships whose changes since the last save are thousands of members of two entities.
@Suite(.serialized, .inBothPlaces) struct LargeRelationshipTests {
    enum Order: CaseIterable {
        case ascending, descending, shuffled

        func of(_ objects: [NSManagedObject]) -> [NSManagedObject] {
            var random = SplitMix64(state: 7)
            return switch self {
            case .ascending: objects
            case .descending: objects.reversed()
            case .shuffled: objects.shuffled(using: &random)
            }
        }
    }

    private static let count = 1_200

    /// Adds and removes by either side.
    private struct Side {
        let club: NSManagedObject
        let isOfClub: Bool

        func add(_ animals: [NSManagedObject]) { change(animals) { $0.add($1) } }

        func remove(_ animals: [NSManagedObject]) { change(animals) { $0.remove($1) } }

        private func change(
            _ animals: [NSManagedObject], _ body: (NSMutableSet, NSManagedObject) -> Void
        ) {
            let members = club.mutableSetValue(forKey: "members")
            for animal in animals {
                if isOfClub {
                    body(members, animal)
                } else {
                    body(animal.mutableSetValue(forKey: "clubs"), club)
                }
            }
        }
    }

    private func numbers(_ club: NSManagedObject) -> [Int] {
        club.many("members").map { $0.number("number") }.sorted()
    }

    /// What another context finds by the relationship, and by its inverse.
    private func saved(_ stack: Stack) throws -> [[Int]] {
        let other = stack.container.newBackgroundContext()
        return try other.performAndWait {
            let club = try #require(try other.all("Club").first)
            let animals = try other.all("Animal")
            return [
                numbers(club),
                animals.filter { $0.many("clubs").contains(club) }.map { $0.number("number") }
                    .sorted(),
            ]
        }
    }

    @Test(arguments: Order.allCases, [true, false])
    func membersComeAndGo(order: Order, byClub: Bool) throws {
        let stack = try Stack(ClubModel.make())
        let context = stack.context
        context.undoManager = UndoManager()
        let all = Array(1...Self.count)
        let animals = all.map {
            context.make($0 % 2 == 0 ? "Cat" : "Dog", ["number": $0])
        }
        // Keys of two kinds, and of two entities.
        try context.obtainPermanentIDs(for: Array(animals.prefix(Self.count / 2)))
        let club = context.make("Club", ["number": 0])
        let side = Side(club: club, isOfClub: byClub)
        let other = Side(club: club, isOfClub: !byClub)
        context.processPendingChanges()
        side.add(order.of(animals))
        context.processPendingChanges()
        #expect(numbers(club) == all)
        #expect(club.many("members").count == Self.count)
        context.undo()
        #expect(numbers(club) == [] && animals.allSatisfy { $0.many("clubs").isEmpty })
        context.redo()
        #expect(numbers(club) == all && animals.allSatisfy { $0.many("clubs") == [club] })
        other.remove(order.of(animals.filter { $0.number("number") % 3 == 0 }))
        let two = all.filter { $0 % 3 != 0 }
        #expect(numbers(club) == two)
        try context.save()
        #expect(try saved(stack) == [two, two])

        // Removed, and taken back in each way.
        let kept = animals.filter { $0.number("number") % 3 != 0 }
        side.remove(order.of(kept))
        #expect(numbers(club) == [])
        context.rollback()
        #expect(numbers(club) == two)
        other.remove(order.of(kept))
        side.add(order.of(kept))
        #expect(numbers(club) == two)
        try context.save()
        #expect(try saved(stack) == [two, two])
        side.remove(order.of(kept))
        context.processPendingChanges()
        context.undo()
        #expect(numbers(club) == two)
        context.redo()
        #expect(numbers(club) == [])
        context.refresh(club, mergeChanges: true)
        #expect(numbers(club) == [])
        side.add(animals.filter { $0.number("number") % 3 == 0 })
        let three = all.filter { $0 % 3 == 0 }
        #expect(numbers(club) == three)
        try context.save()
        #expect(try saved(stack) == [three, three])
        #expect(context.invariantViolations() == [])
        try stack.reopenChecked()
    }

    @Test(arguments: Order.allCases, [true, false])
    func membersOfAChildComeAndGo(order: Order, byClub: Bool) throws {
        let stack = try Stack(ClubModel.make())
        let root = stack.container.newBackgroundContext()
        let child = Stack.child(of: root)
        let all = Array(1...Self.count)
        try child.performAndWait {
            let animals = all.map {
                child.make($0 % 2 == 0 ? "Cat" : "Dog", ["number": $0])
            }
            let club = child.make("Club", ["number": 0])
            let side = Side(club: club, isOfClub: byClub)
            side.add(order.of(Array(animals.prefix(500))))
            // The parent has these with keys of its own.
            try child.save()
            try child.obtainPermanentIDs(for: Array(animals.prefix(100)))
            side.add(order.of(animals))
            side.remove(order.of(Array(animals.dropFirst(300))))
            #expect(numbers(club) == Array(1...300))
            side.add(order.of(animals))
            #expect(numbers(club) == all)
            side.remove(order.of(Array(animals.suffix(300))))
            try child.save()
            #expect(numbers(club) == Array(1...Self.count - 300))
        }
        try root.performAndWait {
            let club = try #require(try root.all("Club").first)
            #expect(numbers(club) == Array(1...Self.count - 300))
            try root.save()
            #expect(numbers(club) == Array(1...Self.count - 300))
        }
        let two = Array(1...Self.count - 300)
        #expect(try saved(stack) == [two, two])
        try child.performAndWait {
            let club = try #require(try child.all("Club").first)
            #expect(numbers(club) == two)
            let animals = Array(club.many("members"))
            Side(club: club, isOfClub: byClub).remove(order.of(animals))
            child.rollback()
            #expect(numbers(club) == two)
            #expect(child.invariantViolations() == [])
        }
        try stack.reopenChecked()
    }
}
