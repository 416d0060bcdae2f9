// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A thing that has no other values than its stored properties.
private final class Note: NSObject {
    let title: String
    let rank: Int?

    init(_ title: String, _ rank: Int?) {
        self.title = title
        self.rank = rank
    }
}

/// Sort descriptors of keys outside of fetches.
@Suite struct CollectionSortTests {
    private let byAge = NSSortDescriptor(key: "age", ascending: true)
    private let byName = NSSortDescriptor(key: "name", ascending: false)

    private let people: [[String: Any]] = [
        ["name": "b", "age": 10], ["name": "c", "age": 9], ["name": "a"], ["name": "d", "age": 10],
    ]

    private func names(_ list: [Any]) -> [String] {
        list.compactMap { ($0 as? [String: Any])?["name"] as? String }
    }

    @Test func dictionaries_sort_by_value_nil_first() {
        let array = people as NSArray
        #expect(names(array.sortedArray(using: [byAge, byName])) == ["a", "c", "d", "b"])
        #expect(names(array.sortedArray(using: [byName])) == ["d", "c", "b", "a"])
        let reversed = byAge.reversedSortDescriptor as? NSSortDescriptor
        #expect(
            names(array.sortedArray(using: [reversed, byName].compactMap(\.self)))
                == ["d", "b", "c", "a"])
        let mutable = NSMutableArray(array: people)
        mutable.sort(using: [byAge, byName])
        #expect(names(mutable as? [Any] ?? []) == ["a", "c", "d", "b"])
    }

    @Test func all_collections_of_objects_sort() throws {
        let stack = try Stack(PeopleModel.make())
        let team = stack.context.make("Department", ["name": "T"])
        let ann = stack.context.make("Person", ["name": "Ann", "age": 10, "department": team])
        let bob = stack.context.make("Person", ["name": "Bob", "age": 9, "department": team])
        let cid = stack.context.make("Person", ["name": "Cid", "age": 10])
        let all = [ann, bob, cid]
        for _ in 0..<2 {
            let wanted = [bob, cid, ann]
            #expect(
                NSArray(array: all).sortedArray(using: [byAge, byName]) as? [NSManagedObject]
                    == wanted)
            #expect(
                NSSet(array: all).sortedArray(using: [byAge, byName]) as? [NSManagedObject]
                    == wanted)
            #expect(
                NSOrderedSet(array: all).sortedArray(using: [byAge, byName]) as? [NSManagedObject]
                    == wanted)
            let ordered = NSMutableOrderedSet(array: all)
            ordered.sort(using: [byAge, byName])
            #expect(ordered.array as? [NSManagedObject] == wanted)
            let byTeam = NSSortDescriptor(key: "department.name", ascending: false)
            #expect(
                NSArray(array: all).sortedArray(using: [byTeam, byAge]) as? [NSManagedObject]
                    == [bob, ann, cid])
            try stack.context.save()
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = [byAge, byName]
        #expect(
            try stack.context.fetch(request)
                == NSSet(array: all).sortedArray(using: [byAge, byName]) as? [NSManagedObject])
    }

    @Test func values_and_plain_objects_sort() {
        let numbers = [3, 10, 2] as NSArray
        let own = NSSortDescriptor(key: "self", ascending: true)
        #expect(numbers.sortedArray(using: [own]) as? [Int] == [2, 3, 10])
        #expect(
            numbers.sortedArray(using: [NSSortDescriptor(key: nil, ascending: false)]) as? [Int]
                == [10, 3, 2])
        let texts = ["ccc", "a", "bb"] as NSArray
        #expect(
            texts.sortedArray(using: [NSSortDescriptor(key: "length", ascending: true)])
                as? [String] == ["a", "bb", "ccc"])
        let notes = [Note("x", 2), Note("y", nil), Note("z", 1)] as NSArray
        let byRank = NSSortDescriptor(key: "rank", ascending: true)
        #expect(
            notes.sortedArray(using: [byRank]).compactMap { ($0 as? Note)?.title }
                == ["y", "z", "x"])
    }

    @Test func values_of_one_family_sort() {
        let own = [NSSortDescriptor(key: "self", ascending: true)]
        let numbers = [2.5, true, 0, Decimal(1.5), NSNull()] as NSArray
        let sorted = numbers.sortedArray(using: own).map { "\($0)" }
        #expect(sorted == ["<null>", "0", "1", "1.5", "2.5"])
        let nan = [2, Double.nan, 1] as NSArray
        #expect(nan.sortedArray(using: own).map { "\($0)" } == ["nan", "1", "2"])
    }

    @Test func values_of_several_types_trap() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = (["x", 1] as NSArray).sortedArray(using: [
                NSSortDescriptor(key: "self", ascending: true)
            ])
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("have no order by self: "))
        #expect(text.contains("a value of type string"))
        await #expect(processExitsWith: .failure) {
            let dates: [[String: Any]] = [["day": Date()], ["day": "2020-01-01"]]
            _ = (dates as NSArray).sortedArray(using: [
                NSSortDescriptor(key: "day", ascending: true)
            ])
        }
    }

    @Test func an_unknown_key_traps() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(PeopleModel.make())
            let objects = [stack.context.make("Person"), stack.context.make("Person")]
            _ = NSArray(array: objects).sortedArray(using: [
                NSSortDescriptor(key: "size", ascending: true)
            ])
        }
    }
}
