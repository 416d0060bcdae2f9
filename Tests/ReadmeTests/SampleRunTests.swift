// SPDX-License-Identifier: Apache-2.0

import CoreData
import LMDB
import Schema
import Store
import Testing
import _TestSupport

/// Runs the samples that need no more than a store of their own.
@Suite struct SampleRunTests {
    private func withLeague(_ body: (League, URL) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let url = URL(fileURLWithPath: directory)
            let league = try League(at: url.appendingPathComponent("league.lode"))
            try await body(league, url)
        }
    }

    @Test func samplesOfContexts() async throws {
        try await withLeague { league, _ in
            let (context, player) = (league.context, league.player)
            try await ContextSamples.background(league.container)
            #expect(try await ContextSamples.waiting(context) == [3, 1])
            try ContextSamples.object(context, league.blues)
            try ContextSamples.save(context)
            try await ContextSamples.identity(player, league.container.newBackgroundContext())
            #expect(await ContextSamples.snapshot(context, player) == 12)
            #expect(try ContextSamples.fetch(context).count == 2)
            let request = NSFetchRequest<Player>(entityName: "Player")
            let made = try ContextSamples.predicates(request, league.blues, league.reds)
            #expect(made.map { $0.evaluate(with: player) } == [true, true])
            #expect(try context.fetch(request).count == 2)
            #expect(try ContextSamples.generations(context, request))
            context.refresh(player, mergeChanges: false)
            player.score = 14
            try ContextSamples.policy(context)
            ContextSamples.undo(context, player)
            #expect(player.score == 14)
            ContextSamples.quietImport(context)
            #expect(try ContextSamples.report(context) == 2)
        }
    }

    @Test func samplesOfRequests() async throws {
        try await withLeague { league, _ in
            let (context, player) = (league.context, league.player)
            let sums = try RequestSamples.columns(context)
            #expect(sums.map { $0["total"] as? Int } == [12])
            RequestSamples.expression(player)
            try RequestSamples.insertBatch(context)
            #expect(try context.count(for: NSFetchRequest<Team>(entityName: "Team")) == 4)
            player.score = -1
            try context.save()
            try RequestSamples.updateBatch(context)
            context.refresh(player, mergeChanges: false)
            #expect(player.score == 0)
            try RequestSamples.laterFetch(context)
            // The fetch runs on the context's queue, which this test stays out of meanwhile.
            await context.perform {}
            context.performAndWait {}
            try RequestSamples.history(context, nil)
            var token: NSPersistentHistoryToken?
            try RequestSamples.mergeHistory(context, &token)
            #expect(token != nil)
            _ = try RequestSamples.pruneHistory(context)
            try RequestSamples.controller(context, Listener())
            player.team = nil
            try context.save()
            try RequestSamples.deleteBatch(context)
            #expect(try context.count(for: NSFetchRequest<Player>(entityName: "Player")) == 0)
        }
    }

    @Test func samplesOfModels() async throws {
        try await withLeague { league, url in
            let team = ModelSamples.entity()
            let player = NSEntityDescription(name: "Player", managedObjectClass: Player.self)
            ModelSamples.relationship(team, player)
            ModelSamples.attribute(player)
            ModelSamples.fetchedProperty(player)
            let model = NSManagedObjectModel(entities: [team, player])
            let file = url.appendingPathComponent("models.lode")
            let context = try ModelSamples.coordinator(model, file)
            let (one, two) = (Player(context: context), Player(context: context))
            (one.score, two.score) = (3, 3)
            try context.save()
            #expect((one.value(forKey: "equals") as? [Player])?.count == 2)
            let backup = url.appendingPathComponent("backup.lode")
            try ModelSamples.backUp(model, file, to: backup)
            let copied = try ModelSamples.coordinator(model, backup)
            #expect(try copied.count(for: NSFetchRequest<Player>(entityName: "Player")) == 2)
            let copies = try [team, player].map { try #require($0.copy() as? NSEntityDescription) }
            #expect(copies.map(\.name) == ["Team", "Player"])
            let other = url.appendingPathComponent("other.lode")
            let loaded = ModelSamples.container(makeLeagueModel(), other)
            #expect(loaded.persistentStoreCoordinator?.persistentStores.count == 1)
            ModelSamples.description(league.container, other)
            ModelSamples.historyDescription(league.container, other)
        }
    }

    @Test func samplesOfComponents() async throws {
        try await withLeague { league, _ in
            let moc = league.context
            let stat = Stat.create(kind: "health", value: 7, moc: moc)
            let hero = try ComponentSamples.gameObject(moc, stat)
            try ComponentSamples.component(hero)
            #expect(try ComponentSamples.data(hero)?.value == 7)
            try ComponentSamples.all(moc)
            try regenerate(moc)
            #expect(stat.value == 8)
            try ArticleSamples.components(moc)
            try ArticleSamples.work(league.container)
            #expect(ArticleSamples.model().entities.count == 3)
            #expect(ComponentSamples.model(Stat.makeEntity()).entities.count == 3)
        }
    }

    @Test func samplesOfWorlds() async throws {
        #expect(WorldSamples.component() == 1)
        let memory = WorldSamples.world()
        let made = WorldSamples.spawnAll(
            memory, [.init(x: 200, y: 0), .init(x: 0, y: 0)],
            [.init(x: 1, y: 0), .init(x: 1, y: 0)])
        WorldSamples.query(memory)
        #expect(memory[made[1], WorldSamples.Position.self]?.x == 2)
        // The loop by match and the one by chunk.
        WorldSamples.tick(memory, 2)
        #expect(memory[made[1], WorldSamples.Position.self]?.x == 6)
        memory.set(WorldSamples.Wind(x: 3), of: made[1])
        memory.set(WorldSamples.Mass(value: 1), of: made[1])
        WorldSamples.blow(memory)
        #expect(memory[made[1], WorldSamples.Position.self]?.x == 9)
        WorldSamples.despawnAfterwards(memory)
        #expect(memory.count == 2)
        WorldSamples.observe(memory)
        #expect(WorldSamples.spawn().count == 2)

        try await withLeague { league, _ in
            let moc = league.context
            let ship = try WorldSamples.file(moc)
            do {
                let world = try WorldSamples.keep(moc, [.init(x: 1, y: 2)], [.init(x: 0, y: 0)])
                #expect(world.count == 2)
                #expect(world.has(WorldSamples.Velocity.self, ship))
                #expect(try WorldSamples.name(world, moc)?.name == "Hero")
                // The context would hold a world with changes.
                moc.rollback()
            }
            let history = NSPersistentHistoryChangeRequest.fetchHistory(
                after: nil as NSPersistentHistoryToken?)
            let result = try moc.execute(history) as? NSPersistentHistoryResult
            let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
            do {
                let world = try World(context: moc)
                transactions.forEach(ComponentHistorySamples.names)
                transactions.forEach(ComponentHistorySamples.each)
                ComponentHistorySamples.types(transactions, world)
                var sent: [GameObjectID: WorldSamples.Position?] = [:]
                ComponentHistorySamples.send(transactions, world) { sent[$0] = $1 }
                #expect(sent.keys.contains(ship))
                #expect(try ComponentHistorySamples.fetch(moc) == sent.count)
            }
            #expect(try WorldSamples.migrate(moc).count == 2)
            #expect(try WorldSamples.migration(moc).count == 2)
        }
    }

    @Test func samplesOfTheModulesBelow() throws {
        try withTemporaryDirectory { directory in
            let (environment, names) = try LMDBSamples.open("\(directory)/names")
            #expect(try LMDBSamples.read(environment, names) == "Ada")
            #expect(try LMDBSamples.write(environment, names) == 1)
            try LMDBSamples.walk(environment, names)
            try LMDBSamples.follow(environment, names)
            #expect(LMDBSamples.spec().flags.contains(.dupSort))

            let store = try StoreSamples.open("\(directory)/teams.lode")
            let table = try #require(store.table(named: "Team"))
            let key = try StoreSamples.insert(store, table)
            try StoreSamples.read(store, key, table)
            #expect(try StoreSamples.plan(store) == 1)
            #expect(try StoreSamples.predicate().keyPaths == [["year"], ["title"]])
        }
    }

    @Test func samplesOfTransformers() {
        registerTransformer()
        let name = NSValueTransformerName("WordsTransformer")
        let transformer = ValueTransformer(forName: name)
        let words = ["a", "b"]
        let data = transformer?.transformedValue(words)
        #expect(transformer?.reverseTransformedValue(data) as? [String] == words)
    }
}

private final class Listener: NSObject, NSFetchedResultsControllerDelegate {}
