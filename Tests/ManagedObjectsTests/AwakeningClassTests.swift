// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ManagedObjects

/// Does nothing as its objects fire.
private class Sleeper: NSManagedObject {
    static let key = PropertyKey("number")
    final var number: Int64 { Int64.__lode_read(self, Sleeper.key) }
    final var awakenings = 0
}

/// Counts how often its objects fire.
private class Riser: Sleeper {
    override func awakeFromFetch() {
        super.awakeFromFetch()
        awakenings += 1
    }
}

/// Inherits the count.
private final class EarlyRiser: Riser {}

/// Lets go of its values as it fires.
private final class Relapsing: Sleeper {
    override func awakeFromFetch() {
        super.awakeFromFetch()
        awakenings += 1
        if awakenings == 1 { managedObjectContext?.refresh(self, mergeChanges: false) }
    }
}

/// Which classes are called as their objects fire, by an accessor that loads values in place.
@Suite(.inBothPlaces) struct AwakeningClassTests {
    private static let classes = [
        Sleeper.self, Riser.self, EarlyRiser.self, Relapsing.self, NSManagedObject.self,
    ]

    private func stack() throws -> Stack {
        try Stack(
            NSManagedObjectModel(
                entities: AwakeningClassTests.classes.map { type in
                    NSEntityDescription(
                        name: "\(type)", managedObjectClass: type,
                        properties: [NSAttributeDescription(name: "number", type: .integer64)])
                }))
    }

    @Test func a_class_that_overrides_the_hook_is_known() {
        let known = AwakeningClassTests.classes.map { OverrideProbe.overridesAwakeFromFetch($0) }
        #expect(known == [false, true, true, true, false])
    }

    @Test func hooks_of_classes_above_are_called_once_a_fault() throws {
        let stack = try stack()
        for number in 1...40 {
            stack.context.make("Sleeper", ["number": number])
            stack.context.make("EarlyRiser", ["number": number])
            stack.context.make("Riser", ["number": number])
        }
        try stack.context.save()
        let reader = stack.container.newBackgroundContext()
        try reader.performAndWait {
            for (name, wanted) in [("Sleeper", 0), ("EarlyRiser", 1), ("Riser", 1)] {
                let objects = try reader.all(name).map { try #require($0 as? Sleeper) }
                #expect(objects.allSatisfy { $0.isFault && $0.awakenings == 0 })
                #expect(objects.map(\.number) == Array(1...40))
                #expect(objects.allSatisfy { !$0.isFault && !$0.hasChanges })
                #expect(objects.map(\.awakenings) == Array(repeating: wanted, count: 40))
                #expect(objects.map(\.number) == Array(1...40))
                #expect(objects.map(\.awakenings) == Array(repeating: wanted, count: 40))
                // A fault again, which fires again.
                reader.refreshAllObjects()
                #expect(objects.allSatisfy { $0.isFault })
                #expect(objects.map(\.number) == Array(1...40))
                #expect(objects.map(\.awakenings) == Array(repeating: 2 * wanted, count: 40))
            }
        }
    }

    @Test func a_hook_may_make_a_fault_of_the_object_again() throws {
        let stack = try stack()
        for number in 1...3 { stack.context.make("Relapsing", ["number": number]) }
        try stack.context.save()
        let reader = stack.container.newBackgroundContext()
        try reader.performAndWait {
            let objects = try reader.all("Relapsing").map { try #require($0 as? Relapsing) }
            #expect(objects.map(\.number) == [1, 2, 3])
            #expect(objects.map(\.number) == [1, 2, 3])
        }
    }

    @Test func a_plain_fault_reads_the_newest_state_after_a_save_of_others() throws {
        let stack = try stack()
        for number in 1...40 { stack.context.make("Sleeper", ["number": number]) }
        try stack.context.save()
        let reader = stack.container.newBackgroundContext()
        try reader.performAndWait {
            let objects = try reader.all("Sleeper").map { try #require($0 as? Sleeper) }
            #expect(objects[0].number == 1)
            for object in try stack.context.all("Sleeper") {
                object.setValue(object.number("number") + 100, forKey: "number")
            }
            try stack.context.save()
            reader.refreshAllObjects()
            #expect(objects.map(\.number) == Array(101...140))
            #expect(try reader.all("Sleeper").count == 40)
            #expect(objects.map(\.number) == Array(101...140))
        }
    }

    /// A class that is known to do nothing is looked at again where each use is checked.
    @Test func a_fault_that_is_read_on_a_wrong_queue_is_found() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            setenv("LODE_CONCURRENCY_DEBUG", "1", 1)
            let stack = try AwakeningClassTests().stack()
            let background = stack.container.newBackgroundContext()
            try background.performAndWait {
                for number in 1...3 { background.make("Sleeper", ["number": number]) }
                try background.save()
                background.reset()
            }
            // Confined to the thread that makes it, which is not checked.
            let confinement = NSManagedObjectContextConcurrencyType(rawValue: 0)
            let confined = NSManagedObjectContext(
                concurrencyType: try #require(confinement))
            confined.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
            for object in try confined.all("Sleeper") {
                guard let sleeper = object as? Sleeper, sleeper.number > 0 else { exit(0) }
            }
            let found = try background.performAndWait { try background.all("Sleeper") }
            guard let sleeper = found.first as? Sleeper else { exit(0) }
            _ = sleeper.number
            exit(0)
        }
        // Optimised builds trap without a word.
        #if DEBUG
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("Sleeper") && text.contains("was used on"))
        #endif
    }
}
