// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// An item with a transient property that has a default.
private enum StateModel {
    static func make() -> NSManagedObjectModel {
        let note = Build.attribute("note", default: "none")
        note.isTransient = true
        let item = Build.entity("Item", [Build.attribute("name"), note], class: StateItem.self)
        let rival = Build.relationship("rival", of: item, to: item, max: 1)
        rival.isTransient = true
        return Build.model(item)
    }
}

/// Writes down its life-cycle calls.
final class StateItem: NSManagedObject {
    var calls: [String] = []

    override func awakeFromFetch() {
        super.awakeFromFetch()
        calls.append("fetch")
    }

    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        calls.append("will \(text("name"))")
    }

    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        calls.append("did \(isFault)")
    }
}

/// Which objects are faults, and what becomes of their values.
@Suite struct FaultStateTests {
    private let stack: Stack
    private let saved: NSManagedObjectID

    init() throws {
        stack = try Stack(StateModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        saved = item.objectID
    }

    private func request(_ entity: String = "Item") -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.returnsObjectsAsFaults = false
        return request
    }

    private func realised(_ context: NSManagedObjectContext) throws -> StateItem {
        let item = try #require(try context.existingObject(with: saved) as? StateItem)
        #expect(!item.isFault)
        return item
    }

    @Test func a_fetch_of_realised_objects() throws {
        let root = stack.container.newBackgroundContext()
        let held = root.object(with: saved)
        #expect(held.isFault)
        let items = try root.fetch(request())
        #expect(items.map(\.isFault) == [false])
        #expect(held === items[0])
        #expect((items[0] as? StateItem)?.calls == ["fetch"])
        #expect(try root.fetch(request()).count == 1)
        #expect((items[0] as? StateItem)?.calls == ["fetch"])
        let child = Stack.child(of: root)
        let inherited = try child.fetch(request())
        #expect(inherited.map(\.isFault) == [false])
        #expect((inherited[0] as? StateItem)?.calls == ["fetch"])
        root.make("Item", ["name": "b"])
        #expect(try child.fetch(request()).map(\.isFault) == [false, false])
        #expect(try stack.container.newBackgroundContext().all("Item").map(\.isFault) == [true])
    }

    @Test func a_fetch_of_realised_objects_of_further_stores() throws {
        TableStore.register()
        let folder = try StoreFolder()
        let first = try folder.open([("main.lode", "Notes"), ("books.table", "Catalogue")])
        first.make("Author", ["name": "Austen"])
        first.make("Note", ["text": "n"])
        try first.save()
        let table = try #require(try folder.store("books.table") as? TableStore)
        let context = folder.makeContext()
        table.log = []
        let authors = try context.fetch(request("Author"))
        #expect(authors.map(\.isFault) == [false])
        #expect(table.log == ["fetch Author", "values 1"])
        #expect(try context.fetch(request("Note")).map(\.isFault) == [false])
    }

    @Test(arguments: [true, false])
    func a_refresh_makes_a_fault_of_a_clean_object(keepsChanges: Bool) throws {
        for context in [
            stack.container.newBackgroundContext(), Stack.child(of: stack.context),
        ] {
            let item = try realised(context)
            item.calls = []
            let changes = SetRecorder(.NSManagedObjectContextObjectsDidChange, context)
            context.refresh(item, mergeChanges: keepsChanges)
            #expect(item.isFault)
            #expect(item.calls == ["will a", "did true"])
            context.processPendingChanges()
            #expect(changes.sets == [["refreshed": [item]]])
            #expect(item.text("name") == "a" && !item.isFault)
            #expect(item.calls == ["will a", "did true", "fetch"])
        }
    }

    @Test func refreshing_all_objects_keeps_changes() throws {
        let context = stack.context
        let clean = try realised(context)
        let new = context.make("Item", ["name": "new"])
        let changed = context.make("Item", ["name": "b"])
        try context.save()
        changed.setValue("c", forKey: "name")
        let inserted = context.make("Item", ["name": "inserted"])
        #expect(new.text("name") == "new")
        context.refreshAllObjects()
        #expect(clean.isFault && new.isFault)
        #expect(!changed.isFault && changed.text("name") == "c" && changed.isUpdated)
        #expect(!inserted.isFault && inserted.isInserted && inserted.text("name") == "inserted")
    }

    @Test func a_refresh_without_changes_ends_an_insertion() throws {
        for context in [
            stack.container.newBackgroundContext(), Stack.child(of: stack.context),
        ] {
            let item = try #require(context.make("Item", ["name": "new"]) as? StateItem)
            context.processPendingChanges()
            let changes = SetRecorder(.NSManagedObjectContextObjectsDidChange, context)
            context.refresh(item, mergeChanges: true)
            #expect(item.isInserted && item.text("name") == "new" && item.calls.isEmpty)
            context.refresh(item, mergeChanges: false)
            #expect(item.calls == ["will new", "did true"])
            #expect(item.isFault && !item.isInserted && item.managedObjectContext === context)
            #expect(context.insertedObjects.isEmpty && !context.hasChanges)
            context.processPendingChanges()
            #expect(changes.sets == [["deleted": [item]]])
            try context.save()
            #expect(item.value(forKey: "name") == nil && item.isDeleted)
            #expect(try context.count("Item") == 1)
        }
    }

    @Test func nothing_leads_to_an_insertion_that_a_refresh_has_ended() throws {
        let stack = try Stack(PeopleModel.make())
        let context = stack.context
        let person = context.make("Person", ["name": "p"])
        try context.save()
        let department = context.make("Department", ["name": "d"])
        let tag = context.make("Tag", ["name": "t"])
        person.setValue(department, forKey: "department")
        person.setValue(Set([tag]), forKey: "tags")
        context.refresh(department, mergeChanges: false)
        context.refresh(tag, mergeChanges: false)
        #expect(person.one("department") == nil && person.many("tags").isEmpty)
        try context.save()
        let other = stack.container.newBackgroundContext()
        #expect(try other.count("Department") == 0 && other.count("Tag") == 0)
        #expect(try other.all("Person").map { $0.one("department") } == [nil])
    }

    @Test func a_reset_leaves_faults_without_a_context() throws {
        for context in [
            stack.container.newBackgroundContext(), Stack.child(of: stack.context),
        ] {
            let item = try realised(context)
            let fault = try #require(
                context.object(with: try context.all("Item")[0].objectID) as? StateItem)
            let inserted = try #require(context.make("Item", ["name": "b"]) as? StateItem)
            item.calls = []
            context.reset()
            #expect(item.calls == ["will a", "did true"])
            #expect(inserted.calls == ["will b", "did true"])
            for object in [item, fault, inserted] {
                #expect(object.isFault && object.managedObjectContext == nil)
                #expect(!object.hasChanges && object.value(forKey: "name") == nil)
            }
        }
    }

    @Test func transient_values_go_back_to_their_defaults() throws {
        for context in [
            stack.container.newBackgroundContext(), Stack.child(of: stack.context),
        ] {
            let item = try realised(context)
            #expect(item.text("note") == "none")
            item.setPrimitiveValue("set", forKey: "note")
            #expect(item.text("note") == "set")
            context.refresh(item, mergeChanges: true)
            #expect(item.text("note") == "none")
            item.setValue("kept", forKey: "note")
            context.refresh(item, mergeChanges: true)
            #expect(item.text("note") == "kept" && item.isUpdated)
            context.refresh(item, mergeChanges: false)
            #expect(item.text("note") == "none" && !item.hasChanges)
        }
    }

    @Test func a_childs_save_gives_transient_values_to_the_parent() throws {
        let parent = stack.container.newBackgroundContext()
        let child = Stack.child(of: parent)
        let item = try realised(child)
        let other = child.make("Item", ["name": "new", "note": "made"])
        item.setValue("noted", forKey: "note")
        item.setValue(other, forKey: "rival")
        try child.save()
        let twin = try parent.existingObject(with: saved)
        #expect(twin.text("note") == "noted")
        #expect(twin.one("rival")?.text("note") == "made")
        #expect(parent.insertedObjects.map { $0.text("note") } == ["made"])
        #expect(item.text("note") == "noted" && !item.hasChanges)
        try parent.save()
        #expect(twin.text("note") == "noted" && twin.one("rival")?.text("name") == "new")
    }

    @Test func transient_values_of_objects_of_a_further_file() throws {
        let model = LibraryModel.make()
        let mark = Build.attribute("mark", default: "plain")
        mark.isTransient = true
        model.entitiesByName["Book"]?.properties.append(mark)
        let folder = try StoreFolder()
        let context = try folder.open(
            [("main.lode", "Notes"), ("books.lode", "Catalogue")], model: model)
        let child = Stack.child(of: context)
        let book = child.make("Book", ["title": "t", "mark": "new"])
        try child.save()
        let twin = try #require(context.insertedObjects.first)
        try context.save()
        #expect(twin.text("mark") == "new" && twin.text("title") == "t")
        context.refresh(twin, mergeChanges: true)
        #expect(twin.text("mark") == "plain" && twin.text("title") == "t")
        withExtendedLifetime(book) {}
    }
}
