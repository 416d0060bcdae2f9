// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Stores lie where their URLs say, whatever is in the names.
@Suite struct StoreLocationTests {
    @Test(arguments: ["plain", "two words", "50% off?#;", "Zürich", "a%20b", "x/y/z"])
    func opens(name: String) throws {
        let folder = NSTemporaryDirectory() + "StoreLocationTests-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/" + name + ".lode"
        let model = NSManagedObjectModel(entities: [NSEntityDescription(name: "Team")])
        let container = NSPersistentContainer(name: "Any", managedObjectModel: model)
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: URL(fileURLWithPath: path))
        ]
        for _ in 1...2 {
            container.loadPersistentStores { _, error in #expect(error == nil) }
        }
        #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
        #expect(FileManager.default.fileExists(atPath: path))
        let statistics = try #require(container.persistentStoreCoordinator.persistentStores.first)
            .statistics()
        #expect(statistics.tables.map(\.entity) == ["Team", nil, nil, nil, nil])
    }

    @Test func theDefaultFileIsNamedLikeTheContainer() {
        let container = NSPersistentContainer(
            name: "League", managedObjectModel: NSManagedObjectModel())
        let descriptions = container.persistentStoreDescriptions
        #expect(descriptions.count == 1)
        #expect(
            descriptions[0].url
                == NSPersistentContainer.defaultDirectoryURL()
                .appendingPathComponent("League.lode"))
        #expect(container.persistentStoreDescriptions[0] === descriptions[0])
    }

    @Test func aRemovedStoreHasNoStatistics() throws {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: NSManagedObjectModel(entities: [NSEntityDescription(name: "Team")]))
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try coordinator.remove(store)
        let error = #expect(throws: CocoaError.self) { _ = try store.statistics() }
        #expect(error?.code.rawValue == 134_070)
    }
}
