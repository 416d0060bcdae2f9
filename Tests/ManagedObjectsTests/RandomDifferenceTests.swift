// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Random events told as differences: applied one after the other, they lead to a fresh fetch.
@Suite(.inBothPlaces) struct RandomDifferenceTests {
    private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
        var ids: [NSManagedObjectID] = []
        private(set) var updated: Set<NSManagedObjectID> = []
        private(set) var eventCount = 0

        func controller(
            _ controller: AnyController,
            didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
        ) {
            let former = ids
            ids = former.applying(diff) ?? []
            updated = []
            for case .remove(let old, let id, let new?) in diff {
                #expect(former[old] == id && ids[new] == id)
                updated.insert(id)
            }
            eventCount += 1
        }
    }

    @Test(arguments: 1...8) func differences_lead_to_the_results(seed: UInt64) throws {
        let context = try Stack(PeopleModel.make()).context
        var generator = SplitMix64(state: seed)
        var made = 0
        func make() {
            let name = "\(generator.below(1_000))"
            context.make("Person", ["name": name, "age": Int32(made)])
            made += 1
        }
        for _ in 0..<80 { make() }
        try context.save()
        let follower = Follower()
        let controller = context.controller("Person", by: ["name", "age"])
        controller.delegate = follower
        try controller.performFetch()
        follower.ids = controller.fetchedObjects?.map(\.objectID) ?? []
        for round in 1...30 {
            let people = (controller.fetchedObjects ?? []).shuffled(using: &generator)
            let marks = [0, 0, 0].map { _ in generator.below(people.count / 3) }
            let touched = people[..<marks[0]]
            let tag = context.make("Tag", ["name": "\(round)"])
            for person in touched { person.setValue(tag, forKey: "favourite") }
            let moved = people[marks[0]...].prefix(marks[1])
            for person in moved { person.setValue("\(generator.below(1_000))", forKey: "name") }
            let gone = people[(marks[0] + marks[1])...].prefix(marks[2])
            for person in gone { context.delete(person) }
            for _ in 0..<generator.below(30) { make() }
            context.processPendingChanges()
            #expect(follower.ids == controller.fetchedObjects?.map(\.objectID))
            #expect(follower.updated.isSuperset(of: touched.map(\.objectID)))
        }
        let fresh = context.controller("Person", by: ["name", "age"])
        try fresh.performFetch()
        #expect(follower.ids == fresh.fetchedObjects?.map(\.objectID))
        #expect(follower.eventCount == 30)
    }

    @Test func updates_among_many_others_keep_their_places() throws {
        let context = try Stack(PeopleModel.make()).context
        let people = (0..<10).map { context.make("Person", ["name": "\($0)", "age": Int32(0)]) }
        try context.save()
        let (follower, controller) = (Follower(), context.controller("Person", by: ["name"]))
        controller.delegate = follower
        try controller.performFetch()
        follower.ids = people.map(\.objectID)
        for index in [1, 4, 8] { people[index].setValue(Int32(1), forKey: "age") }
        for index in [0, 3, 5, 9] { context.delete(people[index]) }
        for name in ["00", "11", "41", "42", "99"] { context.make("Person", ["name": name]) }
        context.processPendingChanges()
        let names = controller.fetchedObjects?.map { $0.text("name") }
        #expect(names == ["00", "1", "11", "2", "4", "41", "42", "6", "7", "8", "99"])
        #expect(follower.ids == controller.fetchedObjects?.map(\.objectID))
        #expect(follower.updated == Set([1, 4, 8].map { people[$0].objectID }))
    }
}
