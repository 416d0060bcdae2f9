// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Notes what a save calls, and refuses negative numbers.
final class WatchedThing: NSManagedObject {
    struct Refusal: Error {}

    private(set) var calls: [String] = []
    /// Whether the next save drops the changes and makes new ones.
    var isRestless = false

    func takeCalls() -> [String] {
        defer { calls = [] }
        return calls
    }

    override func willSave() {
        super.willSave()
        calls.append("willSave")
        guard isRestless else { return }
        isRestless = false
        managedObjectContext?.refresh(self, mergeChanges: false)
        setValue(9, forKey: "number")
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        calls.append("validate")
        if number("number") < 0 { throw Refusal() }
    }

    override func didSave() {
        super.didSave()
        calls.append("didSave")
    }
}

/// Objects whose changes are dropped before they are changed once more.
@Suite struct RepeatedChangeTests {
    private let stack: Stack
    private let context: NSManagedObjectContext
    private let thing: WatchedThing

    init() throws {
        let entity = Build.entity(
            "Thing", [Build.attribute("number", .integer64AttributeType, default: 0)],
            class: WatchedThing.self)
        stack = try Stack(Build.model(entity))
        context = stack.context
        thing = try #require(context.make("Thing") as? WatchedThing)
        try context.save()
        _ = thing.takeCalls()
    }

    private func changeAgain() {
        for number in 1...3 {
            thing.setValue(number, forKey: "number")
            context.refresh(thing, mergeChanges: false)
        }
        thing.setValue(4, forKey: "number")
    }

    @Test func each_hook_is_called_once() throws {
        changeAgain()
        try context.save()
        #expect(thing.takeCalls() == ["willSave", "validate", "didSave"])
        #expect(thing.number("number") == 4)
    }

    @Test func each_hook_is_called_once_in_a_child() throws {
        let child = Stack.child(of: context)
        let theirs = try #require(try child.all("Thing").first as? WatchedThing)
        for number in 1...3 {
            theirs.setValue(number, forKey: "number")
            child.refresh(theirs, mergeChanges: false)
        }
        theirs.setValue(4, forKey: "number")
        try child.save()
        #expect(theirs.takeCalls() == ["willSave", "validate", "didSave"])
        try context.save()
        #expect(thing.takeCalls() == ["willSave", "validate", "didSave"])
        #expect(thing.number("number") == 4)
    }

    @Test func an_error_is_thrown_once() throws {
        changeAgain()
        thing.setValue(-1, forKey: "number")
        do {
            try context.save()
            Issue.record("the number was not refused")
        } catch {
            #expect(error is WatchedThing.Refusal)
        }
    }

    @Test func a_hook_that_drops_changes_is_called_again_for_the_new_ones_once() throws {
        thing.setValue(1, forKey: "number")
        thing.isRestless = true
        try context.save()
        #expect(thing.takeCalls() == ["willSave", "willSave", "validate", "didSave"])
        #expect(thing.number("number") == 9)
        try stack.reopenChecked()
    }
}
