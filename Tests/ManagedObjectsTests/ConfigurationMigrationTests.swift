// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Files of configurations, opened by another version of the model.
@Suite struct ConfigurationMigrationTests {
    private static var migrating: [AnyHashable: Any] {
        [
            LodeDurabilityOption: "none", NSMigratePersistentStoresAutomaticallyOption: true,
            NSInferMappingModelAutomaticallyOption: true,
        ]
    }

    /// Notes and tasks, each in a configuration; in the second version both have a colour, and
    /// tasks are jobs.
    private func model(_ version: Int) -> NSManagedObjectModel {
        let note = Build.entity("Note", [Build.attribute("text")])
        let task = Build.entity(version == 1 ? "Task" : "Job", [Build.attribute("name")])
        if version > 1 {
            for entity in [note, task] {
                entity.properties.append(Build.attribute("colour", default: "red"))
            }
            task.renamingIdentifier = "Task"
        }
        let model = Build.model(note, task)
        model.setEntities([note], forConfigurationName: "Notes")
        model.setEntities([task], forConfigurationName: "Tasks")
        return model
    }

    @Test func each_file_of_a_configuration_is_migrated() throws {
        let stores = try StoreFolder()
        let files: [(name: String, configuration: String?)] = [
            ("notes.lode", "Notes"), ("tasks.lode", "Tasks"),
        ]
        let first = try stores.open(files, model: model(1))
        first.make("Note", ["text": "buy milk"])
        first.make("Task", ["name": "paint"])
        try first.save()
        let context = try stores.open(
            files, model: model(2), options: ConfigurationMigrationTests.migrating)
        #expect(
            try context.all("Note").map { $0.text("text") + $0.text("colour") } == ["buy milkred"])
        #expect(try context.all("Job").map { $0.text("name") + $0.text("colour") } == ["paintred"])
        let again = try stores.open(files, model: model(2))
        #expect(try again.count("Note") == 1)
        #expect(try again.count("Job") == 1)
    }

    @Test func a_file_of_all_entities_keeps_those_of_other_configurations() throws {
        let stores = try StoreFolder()
        let first = try stores.open([("all.lode", nil)], model: model(1))
        first.make("Note", ["text": "buy milk"])
        first.make("Task", ["name": "paint"])
        try first.save()
        let notes = try stores.open(
            [("all.lode", "Notes")], model: model(2),
            options: ConfigurationMigrationTests.migrating)
        #expect(try notes.all("Note").map { $0.text("colour") } == ["red"])
        let all = try stores.open([("all.lode", nil)], model: model(2))
        #expect(try all.all("Job").map { $0.text("name") } == ["paint"])
    }
}
