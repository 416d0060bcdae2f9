// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds

/// Links of two programs in one row of a file, as one of them has its link by changes of a copy.
@MainActor
@Suite struct SharedLinkRowTests: OnTwoWorlds {
    let worlds: TwoWorlds
    let third: GameObjectID

    init() throws {
        worlds = try TwoWorlds()
        third = try worlds.spawnThird()
    }

    /// The targets of an object in the file.
    private func saved() throws -> [GameObjectID] {
        let fresh = try reopened()
        try WorldPages(worlds.fixture.url).verify()
        let targets = fresh.targets(of: object, Likes.self)
        #expect(fresh.query(Link<Likes>.self).count == targets.count)
        return targets
    }

    /// The row of the next link of the second world.
    private func nextRow() throws -> Int {
        try second.reserve(count: 10)
        return second.rows.next
    }

    /// Relates two game objects in the first world by changes of a copy that uses a row.
    private func relateByCopy(_ target: GameObjectID, row: Int) throws {
        let copy = first.copy()
        copy.rows.skip(upTo: row - 1)
        copy.relate(object, Likes.self, to: target)
        try first.apply(copy.diff(from: first))
    }

    @Test(arguments: 0..<6) func both_links_are_saved(_ round: Int) throws {
        let row = try nextRow()
        second.relate(object, Likes.self, to: other)
        try relateByCopy(third, row: row)
        try one.save()
        two.mergePolicy =
            [
                NSMergePolicy.error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump,
            ][round / 2]
        if round % 2 == 1 { second.advance() }
        try two.save()
        #expect(second.targets(of: object, Likes.self) == [other, third])
        #expect(try saved() == [other, third])
        first.advance()
        #expect(first.targets(of: object, Likes.self) == [other, third])
        // Each of them can be ended.
        first.unrelate(object, Likes.self, from: other)
        second.unrelate(object, Likes.self, from: third)
        try one.save()
        try two.save()
        #expect(try saved() == [])
    }

    @Test func a_rollback_takes_the_own_link_alone_back() throws {
        let row = try nextRow()
        second.relate(object, Likes.self, to: other)
        try relateByCopy(third, row: row)
        try one.save()
        second.advance()
        #expect(second.targets(of: object, Likes.self) == [other, third])
        two.rollback()
        #expect(second.targets(of: object, Likes.self) == [third])
        #expect(!two.hasChanges)
    }

    @Test(arguments: [false, true])
    func a_link_that_has_another_row_can_be_undone_and_redone(_ saves: Bool) throws {
        let manager = UndoManager()
        manager.groupsByEvent = false
        two.undoManager = manager
        let row = try nextRow()
        manager.beginUndoGrouping()
        second.undoable { _ = second.relate(object, Likes.self, to: other) }
        manager.endUndoGrouping()
        try relateByCopy(third, row: row)
        try one.save()
        if saves { try two.save() } else { second.advance() }
        for _ in 0..<2 {
            manager.undo()
            #expect(second.targets(of: object, Likes.self) == [third])
            if saves { try two.save() }
            manager.redo()
            #expect(second.targets(of: object, Likes.self) == [other, third])
            if saves { try two.save() }
        }
        try two.save()
        #expect(try saved() == [other, third])
    }

    @Test func a_link_that_ended_here_does_not_end_another_one_of_its_row() throws {
        let row = try nextRow()
        second.relate(object, Likes.self, to: other)
        try two.save()
        first.advance()
        second.unrelate(object, Likes.self, from: other)
        first.unrelate(object, Likes.self, from: other)
        try relateByCopy(third, row: row)
        try one.save()
        try two.save()
        #expect(second.targets(of: object, Likes.self) == [third])
        #expect(try saved() == [third])
    }

    @Test(arguments: [false, true])
    func another_process_uses_rows_that_this_one_has_reserved(_ looksBefore: Bool) async throws {
        let row = try nextRow()
        second.relate(object, Likes.self, to: other)
        let spawned = second.rows.next
        await #expect(processExitsWith: .success) {
            [path = worlds.fixture.url.path as String, row = row as Int, spawned = spawned as Int]
            in
            try await MainActor.run {
                let elsewhere = try WorldElsewhere(path)
                let (world, ids) = (elsewhere.world, elsewhere.ids)
                let copy = world.copy()
                copy.rows.skip(upTo: row - 1)
                copy.relate(ids[0], Likes.self, to: ids[2])
                copy.rows.skip(upTo: spawned - 1)
                let new = copy.spawn(Place(x: 1, y: 1))
                try world.apply(copy.diff(from: world))
                try elsewhere.save()
                world.despawn(new)
                try elsewhere.save()
            }
        }
        if looksBefore { second.advance() } else { try two.save() }
        #expect(second.targets(of: object, Likes.self) == [other, third])
        #expect(second.spawn().row == spawned + 1)
        try two.save()
        #expect(try saved() == [other, third])
    }

    /// A link whose row has another link by a look is gone.
    @Test func followers_and_observers_learn_of_a_link_that_a_look_replaces() throws {
        let row = try nextRow()
        second.relate(object, Likes.self, to: other)
        try two.save()
        second.advance()
        first.advance()
        let follower = second.copy()
        let tick = second.tick
        var events: [String] = []
        second.observe(Link<Likes>.self) { [other, third] _, event in
            func name(_ link: Link<Likes>) -> String {
                link.target == other ? "other" : link.target == third ? "third" : "?"
            }
            switch event {
            case .added(_, let link): events.append("+\(name(link))")
            case .removed(_, let link): events.append("-\(name(link))")
            case .changed(_, let link): events.append("*\(name(link))")
            }
        }
        first.unrelate(object, Likes.self, from: other)
        try relateByCopy(third, row: row)
        try one.save()
        second.advance()
        #expect(second.targets(of: object, Likes.self) == [third])
        try follower.apply(second.diff(since: tick))
        #expect(follower.targets(of: object, Likes.self) == [third])
        second.advance()
        #expect(events == ["-other", "+third"])
    }
}
