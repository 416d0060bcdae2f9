// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Random changes of ordered relationships, compared with arrays of names.
@Suite(.serialized, .inBothPlaces) struct RandomOrderTests {
    private struct Driver {
        let stack: Stack
        var random: SplitMix64
        var lists: [String: [String]] = [:]
        var saved: [String: [String]] = [:]
        var next = 0
        var held: NSMutableOrderedSet?

        init(seed: UInt64) throws {
            stack = try Stack(MusicModel.make())
            random = SplitMix64(state: seed)
            for name in ["1", "2", "3"] {
                stack.context.make("Album", ["name": name])
                lists[name] = []
            }
            try stack.context.save()
            saved = lists
        }

        var context: NSManagedObjectContext { stack.context }

        mutating func step() throws {
            let name = "\(random.below(3) + 1)"
            let album = try #require(try context.named(name, "Album"))
            switch random.below(12) {
            case 0..<3: insert(album, name)
            case 3: try append(album, name)
            case 4..<6: try move(album, name)
            case 6: try remove(album, name)
            case 7: try delete()
            case 8: held = album.mutableOrderedSetValue(forKey: "tracks")
            case 9: context.refresh(album, mergeChanges: true)
            case 10:
                try context.save()
                saved = lists
            default:
                guard random.below(4) == 0 else { return }
                held = nil
                context.rollback()
                lists = saved
            }
        }

        private mutating func insert(_ album: NSManagedObject, _ name: String) {
            next += 1
            let track = context.make("Track", ["name": "t\(next)"])
            let place = random.below((lists[name]?.count ?? 0) + 1)
            album.mutableOrderedSetValue(forKey: "tracks").insert(track, at: place)
            lists[name]?.insert("t\(next)", at: place)
        }

        private mutating func append(_ album: NSManagedObject, _ name: String) throws {
            let all = lists.values.flatMap { $0 }.sorted()
            guard !all.isEmpty else { return }
            let track = all[random.below(all.count)]
            try context.named(track, "Track")?.setValue(album, forKey: "album")
            guard lists[name]?.contains(track) == false else { return }
            for other in lists.keys { lists[other]?.removeAll { $0 == track } }
            lists[name]?.append(track)
        }

        private mutating func move(_ album: NSManagedObject, _ name: String) throws {
            guard var list = lists[name], !list.isEmpty else { return }
            let (from, to) = (random.below(list.count), random.below(list.count))
            album.mutableOrderedSetValue(forKey: "tracks").moveObjects(
                at: IndexSet(integer: from), to: to)
            list.insert(list.remove(at: from), at: to)
            lists[name] = list
        }

        private mutating func remove(_ album: NSManagedObject, _ name: String) throws {
            guard let list = lists[name], !list.isEmpty else { return }
            let place = random.below(list.count)
            let track = album.ordered("tracks")[place]
            if random.below(2) == 0 {
                track.setValue(nil, forKey: "album")
            } else {
                album.mutableOrderedSetValue(forKey: "tracks").removeObject(at: place)
            }
            lists[name]?.remove(at: place)
        }

        private mutating func delete() throws {
            let all = lists.values.flatMap { $0 }.sorted()
            guard !all.isEmpty, random.below(3) == 0 else { return }
            let track = all[random.below(all.count)]
            context.delete(try #require(try context.named(track, "Track")))
            context.processPendingChanges()
            for name in lists.keys { lists[name]?.removeAll { $0 == track } }
        }

        func found(_ context: NSManagedObjectContext) throws -> [String: [String]] {
            var found: [String: [String]] = [:]
            for album in try context.all("Album") {
                found[album.text("name")] = album.ordered("tracks").map { $0.text("name") }
                for track in album.ordered("tracks") where track.one("album") !== album {
                    found["wrong inverse"] = [track.text("name")]
                }
            }
            return found
        }
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>) func agreesWithArrays(seed: UInt64) throws {
        var driver = try Driver(seed: seed)
        for step in 0..<250 {
            try driver.step()
            let found = try driver.found(driver.context)
            #expect(found == driver.lists, "seed \(seed), step \(step)")
            guard found == driver.lists else { return }
            guard step % 5 == 0 else { continue }
            let other = driver.stack.container.newBackgroundContext()
            #expect(try driver.found(other) == driver.saved, "saved, seed \(seed), step \(step)")
        }
    }
}
