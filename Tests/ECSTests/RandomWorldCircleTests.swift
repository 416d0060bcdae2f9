// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Three worlds of one file that relate few game objects at random: its links never lead back.
@MainActor
@Suite struct RandomWorldCircleTests {
    private struct Pair: Hashable { var source, target: GameObjectID }

    private let fixture: WorldFixture
    private let contexts: [NSManagedObjectContext]
    private let worlds: [Worlds.World]
    private let ids: [GameObjectID]

    init() throws {
        fixture = try WorldFixture()
        let fixture = fixture
        contexts = (0..<3).map { _ in fixture.context() }
        let first = try Worlds.World(context: contexts[0])
        ids = Array(first.spawnAll((0..<8).map { Place(x: $0, y: 0) }))
        try contexts[0].save()
        worlds = try [first] + contexts.dropFirst().map { try Worlds.World(context: $0) }
    }

    private func links<Kind: Worlds.Relationship>(
        _ world: Worlds.World, _ kind: Kind.Type
    ) -> Set<Pair> {
        Set(
            ids.flatMap { source in
                world.targets(of: source, kind).map { Pair(source: source, target: $0) }
            })
    }

    private func leads(_ from: GameObjectID, to: GameObjectID, _ links: Set<Pair>) -> Bool {
        var (known, waiting) = (Set([from]), [from])
        while let object = waiting.popLast() {
            if object == to { return true }
            for link in links where link.source == object {
                if known.insert(link.target).inserted { waiting.append(link.target) }
            }
        }
        return false
    }

    /// Relates or parts two game objects, as far as the world's links allow.
    private func change<Kind: Worlds.Relationship>(
        _ world: Worlds.World, _ kind: Kind.Type, _ random: inout SeededGenerator
    ) {
        let source = ids[Int.random(in: 0..<8, using: &random)]
        let target = ids[Int.random(in: 0..<8, using: &random)]
        if world.isRelated(source, kind, to: target) {
            world.unrelate(source, kind, from: target)
        } else if !leads(target, to: source, links(world, kind)) {
            world.relate(source, kind, to: target)
        }
    }

    @Test(arguments: 0..<8) func links_of_the_file_never_lead_back(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (conflicts, taken) = (0, 0)
        for _ in 0..<400 {
            let place = Int.random(in: 0..<3, using: &random)
            let (world, context) = (worlds[place], contexts[place])
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<3: change(world, PartOf.self, &random)
            case 3..<6: change(world, Leads.self, &random)
            case 6: world.advance()
            case 7: if Int.random(in: 0..<4, using: &random) == 0 { context.rollback() }
            default:
                // A save of nothing does not look at the file.
                guard context.hasChanges else { continue }
                context.mergePolicy =
                    [
                        NSMergePolicy.error, NSMergePolicy.mergeByPropertyObjectTrump,
                        NSMergePolicy.mergeByPropertyStoreTrump,
                    ][Int.random(in: 0..<3, using: &random)]
                let before = links(world, Leads.self)
                do { try context.save() } catch let error as CocoaError {
                    #expect(error.code == .managedObjectMerge)
                    conflicts += 1
                    continue
                }
                let fresh = try Worlds.World(context: fixture.context())
                let saved = links(fresh, Leads.self)
                #expect(links(world, PartOf.self) == links(fresh, PartOf.self))
                #expect(links(world, Leads.self) == saved)
                for links in [saved, links(fresh, PartOf.self)] {
                    for link in links { #expect(!leads(link.target, to: link.source, links)) }
                }
                taken += before.subtracting(saved).count { leads($0.target, to: $0.source, saved) }
            }
        }
        #expect(conflicts > 0)
        #expect(taken > 0)
    }
}
