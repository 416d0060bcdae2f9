// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// The same two game objects, related by two contexts that do not know of each other: one link.
@MainActor
@Suite struct DoubleLinkTests {
    let stack: HistoryWorld
    let ids: [GameObjectID]
    let one: NSManagedObjectContext
    let two: NSManagedObjectContext
    let first: Worlds.World
    let second: Worlds.World

    init() throws {
        stack = try HistoryWorld()
        (one, two) = (stack.moc, stack.fixture.context())
        first = try Worlds.World(context: one)
        ids = Array(first.spawnAll((0..<4).map { Place(x: $0, y: 0) }))
        try one.save()
        second = try Worlds.World(context: two)
    }

    /// The links of a kind in the file, each as often as it is there.
    private func links<Kind: Worlds.Relationship>(_ kind: Kind.Type) throws -> [String] {
        let context = stack.fixture.context()
        let fresh = try Worlds.World(context: context)
        var found: [String] = []
        fresh.query(Link<Kind>.self).forEach { link in
            found.append("\(link.source.row - ids[0].row + 1)>\(link.target.row - ids[0].row + 1)")
        }
        #expect(!context.hasChanges)
        try stack.verify()
        return found.sorted()
    }

    /// The history without the spawning.
    private func story() throws -> [String] { Array(try stack.story(ids[0]).dropFirst()) }

    @Test(arguments: [false, true])
    func the_second_save_has_nothing_to_add(_ looksBefore: Bool) throws {
        first.relate(ids[0], Likes.self, to: ids[1])
        second.relate(ids[0], Likes.self, to: ids[1])
        try one.save()
        if looksBefore {
            second.advance()
            #expect(second.query(Link<Likes>.self).count == 1)
        }
        try two.save()
        #expect(try story() == ["2: +Likes/1>2"])
        #expect(try links(Likes.self) == ["1>2"])
        first.advance()
        for (world, context) in [(first, one), (second, two)] {
            #expect(!context.hasChanges)
            #expect(world.query(Link<Likes>.self).count == 1)
            #expect(world.targets(of: ids[0], Likes.self) == [ids[1]])
            #expect(!world.relate(ids[0], Likes.self, to: ids[1]))
        }
        // So either may end it, and it has ended for both.
        #expect(first.unrelate(ids[0], Likes.self, from: ids[1]))
        try one.save()
        second.advance()
        #expect(!second.isRelated(ids[0], Likes.self, to: ids[1]))
        #expect(try story() == ["2: +Likes/1>2", "3: -Likes/1>2"])
        #expect(try links(Likes.self) == [])
    }

    @Test func others_of_the_same_save_are_kept() throws {
        first.relate(ids[0], Likes.self, to: ids[0])
        first.relate(ids[0], Likes.self, to: ids[1])
        second.relate(ids[0], Likes.self, to: ids[2])
        second.relate(ids[0], Likes.self, to: ids[0])
        second.relate(ids[1], Likes.self, to: ids[0])
        try one.save()
        try two.save()
        #expect(try story() == ["2: +Likes/1>1 +Likes/1>2", "3: +Likes/1>3 +Likes/2>1"])
        #expect(try links(Likes.self) == ["1>1", "1>2", "1>3", "2>1"])
        #expect(second.sources(of: ids[0], Likes.self) == [ids[0], ids[1]])
    }

    @Test func a_link_that_has_ended_meanwhile_is_made_again() throws {
        first.relate(ids[0], Likes.self, to: ids[1])
        second.relate(ids[0], Likes.self, to: ids[1])
        try one.save()
        first.unrelate(ids[0], Likes.self, from: ids[1])
        try one.save()
        try two.save()
        #expect(try story() == ["2: +Likes/1>2", "3: -Likes/1>2", "4: +Likes/1>2"])
        #expect(try links(Likes.self) == ["1>2"])
    }

    @Test func who_has_seen_the_other_link_has_that_one() throws {
        first.relate(ids[0], Likes.self, to: ids[1])
        second.relate(ids[0], Likes.self, to: ids[1])
        try one.save()
        second.advance()
        first.unrelate(ids[0], Likes.self, from: ids[1])
        try one.save()
        second.advance()
        #expect(second.targets(of: ids[0], Likes.self) == [])
        try two.save()
        #expect(try links(Likes.self) == [])
    }

    @Test func a_rollback_shows_the_link_of_the_file() throws {
        first.relate(ids[0], Likes.self, to: ids[1])
        second.relate(ids[0], Likes.self, to: ids[1])
        second.relate(ids[2], Likes.self, to: ids[1])
        try one.save()
        second.advance()
        two.rollback()
        #expect(second.query(Link<Likes>.self).count == 1)
        #expect(second.sources(of: ids[1], Likes.self) == [ids[0]])
        #expect(!two.hasChanges)
    }

    @Test func a_save_that_is_refused_and_tried_again() throws {
        first.relate(ids[0], Likes.self, to: ids[1])
        first[ids[3], Place.self]?.y = 1
        second.relate(ids[0], Likes.self, to: ids[1])
        second[ids[3], Place.self]?.y = 2
        try one.save()
        #expect(throws: CocoaError.self) { try two.save() }
        #expect(second.targets(of: ids[0], Likes.self) == [ids[1]])
        two.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try two.save()
        #expect(try story() == ["2: *Place/4 +Likes/1>2", "3: *Place/4"])
        #expect(try links(Likes.self) == ["1>2"])
    }

    @Test func undoing_and_redoing_beside_the_link_of_another() throws {
        let manager = UndoManager()
        manager.groupsByEvent = false
        two.undoManager = manager
        manager.beginUndoGrouping()
        second.undoable { _ = second.relate(ids[0], Likes.self, to: ids[1]) }
        manager.endUndoGrouping()
        first.relate(ids[0], Likes.self, to: ids[1])
        try one.save()
        second.advance()
        // What others have made stays.
        manager.undo()
        #expect(second.targets(of: ids[0], Likes.self) == [ids[1]])
        manager.redo()
        try two.save()
        #expect(try story() == ["2: +Likes/1>2"])
        #expect(try links(Likes.self) == ["1>2"])
        #expect(second.query(Link<Likes>.self).count == 1)
    }

    @Test func a_set_that_follows_the_events_is_right() throws {
        var pairs: Set<GameObjectID> = []
        second.observe(Link<Likes>.self) { _, event in
            switch event {
            case .added(_, let link): pairs.insert(link.target)
            case .removed(_, let link): pairs.remove(link.target)
            case .changed: Issue.record("a link has no value to change")
            }
        }
        second.relate(ids[0], Likes.self, to: ids[1])
        second.relate(ids[0], Likes.self, to: ids[2])
        second.advance()
        #expect(pairs == [ids[1], ids[2]])
        first.relate(ids[0], Likes.self, to: ids[1])
        first.relate(ids[0], Likes.self, to: ids[3])
        try one.save()
        second.advance()
        second.advance()
        #expect(pairs == [ids[1], ids[2], ids[3]])
        try two.save()
        second.advance()
        #expect(pairs == [ids[1], ids[2], ids[3]])
    }

    @Test func many_links() throws {
        let targets = Array(first.spawnAll(count: 3_000))
        try one.save()
        second.advance()
        for target in targets[..<2_000] { first.relate(ids[0], Likes.self, to: target) }
        for target in targets[1_000...] { second.relate(ids[0], Likes.self, to: target) }
        try one.save()
        try two.save()
        #expect(second.query(Link<Likes>.self).count == 3_000)
        #expect(second.targets(of: ids[0], Likes.self) == targets)
        let counts = try stack.transactions().suffix(2).map { $0.componentChanges?.count }
        #expect(counts == [2_000, 1_000])
        #expect(try links(Likes.self).count == 3_000)
    }

    // MARK: Exclusive relationships

    @Test func the_same_target_of_an_exclusive_relationship() throws {
        first.relate(ids[1], ChildOf.self, to: ids[0])
        second.relate(ids[1], ChildOf.self, to: ids[0])
        try one.save()
        try two.save()
        #expect(try story() == ["2: +ChildOf/2>1"])
        #expect(try links(ChildOf.self) == ["2>1"])
        #expect(!two.hasChanges && second.sources(of: ids[0], ChildOf.self) == [ids[1]])
    }

    @Test func two_targets_are_refused_by_an_error_that_names_both() throws {
        first.relate(ids[1], ChildOf.self, to: ids[0])
        try one.save()
        second.advance()
        first.relate(ids[1], ChildOf.self, to: ids[2])
        second.relate(ids[1], ChildOf.self, to: ids[3])
        try one.save()
        for _ in 0..<2 {
            let error = #expect(throws: CocoaError.self) { try two.save() }
            #expect(error?.code == .managedObjectMerge)
            #expect(
                error?.localizedDescription
                    == "ChildOf of the game object \(ids[1]) was changed to \(ids[3]) here and to "
                    + "\(ids[2]) by another context or program; roll back, or set a merge policy")
            #expect(second.target(of: ids[1], ChildOf.self) == ids[3])
        }
        second.unrelate(ids[1], ChildOf.self)
        let error = #expect(throws: CocoaError.self) { try two.save() }
        #expect(
            error?.localizedDescription
                == "ChildOf of the game object \(ids[1]) was changed here and to \(ids[2]) by "
                + "another context or program; roll back, or set a merge policy")
        two.rollback()
        #expect(second.target(of: ids[1], ChildOf.self) == ids[2])
        #expect(second.sources(of: ids[3], ChildOf.self) == [])
    }

    @Test(arguments: 0..<4) func policies_choose_between_two_targets(_ number: Int) throws {
        let policies: [NSMergePolicy] = [
            .mergeByPropertyObjectTrump, .overwrite, .mergeByPropertyStoreTrump, .rollback,
        ]
        two.mergePolicy = policies[number]
        first.relate(ids[1], ChildOf.self, to: ids[2])
        second.relate(ids[1], ChildOf.self, to: ids[3])
        try one.save()
        try two.save()
        let isMine = number < 2
        #expect(second.target(of: ids[1], ChildOf.self) == (isMine ? ids[3] : ids[2]))
        #expect(second.sources(of: ids[2], ChildOf.self) == (isMine ? [] : [ids[1]]))
        #expect(second.sources(of: ids[3], ChildOf.self) == (isMine ? [ids[1]] : []))
        #expect(try links(ChildOf.self) == (isMine ? ["2>4"] : ["2>3"]))
        #expect(
            try story()
                == (isMine ? ["2: +ChildOf/2>3", "3: *ChildOf/2>4"] : ["2: +ChildOf/2>3"]))
    }
}
