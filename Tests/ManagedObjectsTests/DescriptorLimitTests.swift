// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Processes that may open hardly any files: what they cannot open is an error, never a trap.
@Suite struct DescriptorLimitTests {
    @Test(arguments: 0..<16)
    func aStoreIsOpenedOrRefused(spare: Int) async throws {
        await #expect(processExitsWith: .success) { [spare = spare as Int] in
            let stack = try Stack(LibraryModel.make())
            stack.context.make("Note", ["text": "kept"])
            try stack.context.save()
            let coordinator = stack.container.persistentStoreCoordinator
            try coordinator.remove(try #require(coordinator.persistentStores.first))
            let limit = try DescriptorLimit(spare: spare)
            defer { limit.end() }
            do {
                let store = try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url)
                #expect(try stack.context.count("Note") == 1)
                stack.context.make("Note", ["text": "new"])
                try stack.context.save()
                try coordinator.remove(store)
            } catch {
                #expect("\(error)".contains("Too many open files"))
            }
        }
    }

    /// In a process that has not opened a store before, as the first one makes what all share.
    @Test(arguments: 0..<16)
    func theFirstStoreIsCreatedOrRefused(spare: Int) async throws {
        await #expect(processExitsWith: .success) { [spare = spare as Int] in
            let folder = NSTemporaryDirectory() + "DescriptorLimitTests-\(UUID().uuidString)"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let container = NSPersistentContainer(
                name: "Test", managedObjectModel: LibraryModel.make())
            let url = URL(fileURLWithPath: folder + "/first.lode")
            container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
            let limit = try DescriptorLimit(spare: spare)
            defer { limit.end() }
            do {
                if let error = load(container) { throw error }
                container.viewContext.make("Note", ["text": "new"])
                try container.viewContext.save()
            } catch {
                #expect("\(error)".contains("Too many open files"))
            }
        }
    }
}

/// A limit of open files that is a little above the files that are open.
private struct DescriptorLimit {
    private let former: rlimit

    init(spare: Int) throws {
        let descriptor = open("/dev/null", O_RDONLY)
        close(descriptor)
        var limit = rlimit()
        try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        former = limit
        limit.rlim_cur = rlim_t(Int(descriptor) + spare)
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    }

    /// Sets the former limit again.
    func end() {
        var limit = former
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
