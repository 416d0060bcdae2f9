// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

@testable import ManagedObjects

/// The class of an entity whose model is a resource of this target.
final class FoundThing: NSManagedObject {}

/// Which of the models beside a program are its own, and which classes they mean.
@Suite struct ModelFileSearchTests {
    private static let mine = "lode_ManagedObjectsTests.resources"
    private let folder: ModelFolder

    init() throws { folder = try ModelFolder() }

    private var search: ModelFileSearch {
        ModelFileSearch(
            resources: folder.url.appendingPathComponent("main"), neighbours: folder.url)
    }

    private func write(_ name: String, in place: String, _ content: String) throws {
        try folder.write(place + "/" + name, [name: content])
    }

    private func entity(_ name: String, class className: String = "") -> String {
        "<entity name=\"\(name)\" representedClassName=\"\(className)\"/>"
    }

    private func found(_ name: String) -> String {
        do {
            return try search.model(named: name).path
                .replacingOccurrences(of: folder.url.path + "/", with: "")
        } catch {
            return error.reason.replacingOccurrences(of: folder.url.path, with: "")
        }
    }

    private var names: [String] {
        search.models().map { $0.path.replacingOccurrences(of: folder.url.path + "/", with: "") }
    }

    @Test func the_programs_own_resources_come_before_those_of_targets() throws {
        try write("A", in: "main", entity("One"))
        try write("A", in: "p_T.resources", entity("Two"))
        #expect(found("A") == "main/A.xcdatamodeld")
        #expect(
            found("B").hasPrefix(
                "there is no B.xcdatamodeld in /main, /p_T.resources; declare it as a resource"))
    }

    @Test func of_two_targets_that_with_classes_of_the_program_counts() throws {
        try write("A", in: "lode_Another.resources", entity("Thing", class: ".FoundThing"))
        #expect(found("A") == "lode_Another.resources/A.xcdatamodeld")
        try write("A", in: Self.mine, entity("Other", class: ".FoundThing"))
        #expect(found("A") == Self.mine + "/A.xcdatamodeld")
        #expect(names == [Self.mine + "/A.xcdatamodeld"])
    }

    @Test func of_two_targets_without_classes_none_counts_unless_they_are_the_same() throws {
        try write("A", in: "p_Old.resources", entity("Thing"))
        try write("A", in: "p_New.resources", entity("Thing"))
        #expect(found("A") == "p_New.resources/A.xcdatamodeld")
        #expect(names == ["p_New.resources/A.xcdatamodeld"])
        try write("A", in: "p_New.resources", entity("Changed"))
        #expect(
            found("A").hasPrefix(
                "there are several models A: /p_New.resources/A.xcdatamodeld, "
                    + "/p_Old.resources/A.xcdatamodeld; give the container one of them"))
    }

    @Test func a_class_is_that_of_the_target_whose_resource_the_model_is() throws {
        try write(
            "A", in: Self.mine,
            entity("Own", class: ".FoundThing") + entity("Bare", class: "FoundThing")
                + entity("Moved", class: "Other.FoundThing") + entity("Gone", class: ".NoSuchClass")
                + entity("Known", class: "ManagedObjectsTests.FoundThing"))
        let model = try NSManagedObjectModel.read(
            contentsOf: folder.url.appendingPathComponent(Self.mine + "/A.xcdatamodeld"))
        let names = model.entities.map { $0.managedObjectClassName ?? "" }
        let own = "ManagedObjectsTests.FoundThing"
        #expect(names == [own, own, own, "NoSuchClass", own])
    }

    @Test func a_store_of_a_configuration_leads_to_its_model() throws {
        let configuration = """
            <configuration name="Local"><memberEntity name="One"/></configuration>
            """
        let url = try folder.write(
            "Two", ["Two": entity("One") + entity("Two") + configuration])
        let model = try NSManagedObjectModel.read(contentsOf: url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            type: .sqlite, configuration: "Local", at: folder.url.appendingPathComponent("a.lode"))
        let metadata = store.metadata ?? [:]
        #expect(
            (metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.keys.sorted() == ["One"])
        let found = NSManagedObjectModel(byMerging: [model], forStoreMetadata: metadata)
        #expect(found?.entities.map(\.name) == ["One", "Two"])
    }

    @Test func the_main_bundle_is_what_nil_stands_for() {
        #expect(
            ModelFileSearch.models(of: [.main]) == ModelFileSearch.models(of: nil))
        #expect(!ModelFileSearch.models(of: nil).isEmpty)
    }
}
