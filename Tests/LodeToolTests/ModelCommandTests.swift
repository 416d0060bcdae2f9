// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing
import _TestSupport

@testable import LodeTool

/// `lode create`, `lode migrate` and `lode compact`.
@Suite struct ModelCommandTests {
    private static let first = """
        <entity name="Note"><attribute name="title" attributeType="String"/>
        <attribute name="size" optional="YES" attributeType="Integer 32"/></entity>
        <entity name="Draft"/><entity name="Same"/>
        """
    private static let second = """
        <entity name="Page" elementID="Note"><attribute name="name" elementID="title"
        attributeType="String"/></entity>
        <entity name="Tag"/><entity name="Same"/>
        """

    private let folder: ModelFolder

    init() throws {
        folder = try ModelFolder()
        try folder.write(
            "Notes", ["Notes": Self.first, "Notes 2": Self.second], current: "Notes 2")
    }

    private var model: String { folder.url.path + "/Notes.xcdatamodeld" }

    private var tool: ToolRun { ToolRun(folder: folder.url.path) }

    /// The lines that a query for all notes prints.
    private func notes(of store: String) -> [Substring] {
        tool.lode("query", store, "Note", "--format", "csv", "--sort", "title")
            .output.split(separator: "\n")
    }

    /// A store of the first version with three notes.
    private func makeStore(history: Bool = false) throws -> String {
        let url = folder.url.appendingPathComponent("notes.lode")
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel.read(
                contentsOf: URL(fileURLWithPath: model + "/Notes.xcdatamodel")))
        let store = try coordinator.addPersistentStore(
            ofType: LodeStoreType, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: history])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for title in ["a", "b", "c"] {
                NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                    .setValue(title, forKey: "title")
            }
            try context.save()
        }
        try coordinator.remove(store)
        return url.path
    }

    @Test(arguments: [false, true])
    func a_store_is_migrated_where_what_goes_may_go(history: Bool) throws {
        let store = try makeStore(history: history)
        let dry = tool.lode("migrate", store, model, "--dry-run")
        #expect(dry.status == 0 && dry.error == "")
        #expect(
            dry.output == """
                entity  change             objects
                ------  -----------------  -------
                Page    changed, was Note        3
                Tag     added
                Draft   removed                  0

                """)

        let refused = tool.lode("migrate", store, model)
        #expect(refused.status == 1)
        #expect(refused.error.contains("LodeMigrationMayRemoveOption"))
        #expect(
            try NSManagedObjectModel.stored(at: URL(fileURLWithPath: store))
                .entitiesByName["Note"] != nil)

        let done = tool.lode("migrate", store, model, "--may-remove")
        #expect(done.status == 0 && done.error == "")
        #expect(done.output.hasSuffix("\nmigrated\n"))
        let query = tool.lode("query", store, "Page", "--format", "csv", "--sort", "name")
        #expect(query.output.contains("a\n") && query.output.contains("c\n"))
        let again = tool.lode("migrate", store, model)
        #expect(again.output == "the store has this version of the model\n")
    }

    @Test func what_is_no_model_or_no_store_is_told() throws {
        let store = try makeStore()
        #expect(tool.lode("migrate", store).status == 64)
        let missing = tool.lode("migrate", store, folder.url.path + "/None.xcdatamodeld")
        #expect(missing.status == 1)
        #expect(missing.error == "lode: None.xcdatamodeld: there is no such model\n")
        let noStore = tool.lode("migrate", folder.url.path + "/none.lode", model)
        #expect(noStore.status == 1)
        #expect(noStore.error == "lode: none.lode: there is no such file; check the path\n")
    }

    @Test func a_store_of_a_model_is_made_and_filled() throws {
        let store = folder.url.path + "/new.lode"
        let created = tool.lode("create", store, model + "/Notes.xcdatamodel")
        #expect(created.status == 0 && created.error == "")
        #expect(created.output == "created with 3 entities\n")
        try folder.write("title,size\na,1\nb,\n", to: "Note.csv")
        let imported = tool.lode(
            "import", folder.url.path + "/Note.csv", "--into", store, "--quiet")
        #expect(imported.status == 0 && imported.error == "")
        #expect(notes(of: store) == ["title,size", "a,1", "b,"])
        let again = tool.lode("create", store, model)
        #expect(again.status == 1)
        #expect(again.error.contains("new.lode: there is such a file already"))
        #expect(tool.lode("create", store).status == 64)
    }

    @Test func a_compacted_copy_has_the_same_objects() throws {
        let store = try makeStore()
        let copy = folder.url.path + "/copy.lode"
        let result = tool.lode("compact", store, "--into", copy)
        #expect(result.status == 0 && result.error == "")
        #expect(result.output.contains(" bytes, compacted "))
        #expect(notes(of: copy) == notes(of: store))
        #expect(notes(of: copy).count == 4)
        let again = tool.lode("compact", store, "--into", copy)
        #expect(again.status == 1)
        #expect(again.error.contains("copy.lode exists"))
        #expect(tool.lode("compact", store).status == 64)
    }
}
