// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ManagedObjects

private let options = [
    NSPersistentHistoryTrackingKey, NSPersistentStoreRemoteChangeNotificationPostOptionKey,
]

/// What another process does to a file: an exit test runs its body in one.
private enum OtherProcess {
    static func open(_ path: String) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HistoryModel.make())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
            options: [NSPersistentHistoryTrackingKey: true, LodeDurabilityOption: "none"])
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        context.transactionAuthor = "other"
        return context
    }

    /// Saves films, each for itself.
    static func save(_ count: Int, to path: String) async {
        await #expect(processExitsWith: .success) { [path = path as String, count = count as Int] in
            let context = try OtherProcess.open(path)
            for number in 0..<count {
                context.make("Film", ["title": "\(number)"])
                try context.save()
            }
        }
    }

    /// Dies after it has written objects and before it has committed them.
    static func dieInASave(of path: String) async {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let context = try OtherProcess.open(path)
            for number in 0..<1_000 { context.make("Film", ["title": "\(number)"]) }
            let target = try SaveTarget(mainOf: context)
            let writer = try SaveWriter(context, target)
            try target.store.write { transaction in
                _ = try writer.write(transaction, hasWritten: false)
                _ = kill(getpid(), SIGKILL)
            }
        }
    }
}

/// Commits of other processes, and of other coordinators of this one.
@Suite struct RemoteChangeTests {
    private let stack: Stack

    init() throws { stack = try Stack.withHistory(options) }

    private var identifier: String { stack.coordinator.persistentStores[0].identifier }

    private func tokens(_ numbers: UInt64...) -> [NSPersistentHistoryToken?] {
        numbers.map { NSPersistentHistoryToken([identifier: $0]) }
    }

    @Test func anotherProcessIsTold() async throws {
        let recorder = RemoteRecorder(stack.coordinator)
        await OtherProcess.save(1, to: stack.url.path)
        #expect(recorder.wait() == tokens(1))
        #expect(recorder.userInfoKeys == [["NSStoreUUID", "storeURL", "historyToken"]])
        #expect(try stack.story() == ["1 other: +Film/p1"])
        #expect(try stack.context.count("Film") == 1)
    }

    @Test func ownCommitsAreTold() async throws {
        let recorder = RemoteRecorder(stack.coordinator)
        try stack.film("a")
        #expect(recorder.wait() == tokens(1))
        let update = NSBatchUpdateRequest(entityName: "Film")
        update.propertiesToUpdate = ["year": 9]
        try stack.context.execute(update)
        #expect(recorder.wait() == tokens(1, 2))
        await OtherProcess.save(1, to: stack.url.path)
        #expect(recorder.wait() == tokens(1, 2, 3))
        #expect(recorder.userInfoKeys.last == ["NSStoreUUID", "storeURL", "historyToken"])
    }

    @Test func ownCommitsToAFurtherFileAreTold() async throws {
        let folder = try StoreFolder()
        _ = try folder.open([("main.lode", "Notes")])
        try folder.add(
            "books.lode", "Catalogue",
            options: [
                NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
                LodeDurabilityOption: "none",
            ])
        let recorder = RemoteRecorder(folder.coordinator)
        let context = folder.makeContext()
        context.make("Note")
        try context.save()
        context.make("Author")
        try context.save()
        #expect(recorder.wait() == [nil])
        #expect(recorder.userInfoKeys == [["NSStoreUUID", "storeURL"]])
    }

    @Test func anotherCoordinatorIsTold() throws {
        let mine = RemoteRecorder(stack.coordinator)
        let other = try OtherProcess.open(stack.url.path)
        other.make("Film", ["title": "a"])
        try other.save()
        #expect(mine.wait() == tokens(1))
    }

    @Test func nobodyIsToldUnlessAsked() async throws {
        try stack.reopen([NSPersistentHistoryTrackingKey])
        let asked = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        try asked.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url,
            options: [
                NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
                NSPersistentHistoryTrackingKey: true, LodeDurabilityOption: "none",
            ])
        let silent = RemoteRecorder(stack.coordinator)
        let told = RemoteRecorder(asked)
        await OtherProcess.save(1, to: stack.url.path)
        #expect(told.wait() == tokens(1))
        #expect(silent.userInfoKeys == [])
    }

    @Test func withoutHistoryThereIsNoToken() async throws {
        let plain = try Stack(HistoryModel.make())
        try plain.reopen([NSPersistentStoreRemoteChangeNotificationPostOptionKey])
        let recorder = RemoteRecorder(plain.coordinator)
        await #expect(processExitsWith: .success) { [path = plain.url.path as String] in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HistoryModel.make())
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path))
            let context = NSManagedObjectContext(.mainQueue)
            context.persistentStoreCoordinator = coordinator
            context.make("Film")
            try context.save()
        }
        #expect(recorder.wait() == [nil])
        #expect(recorder.userInfoKeys == [["NSStoreUUID", "storeURL"]])
    }

    @Test func removedStoresAreSilent() async throws {
        let recorder = RemoteRecorder(stack.coordinator)
        try stack.coordinator.remove(stack.coordinator.persistentStores[0])
        await OtherProcess.save(1, to: stack.url.path)
        let coordinator = stack.coordinator
        try stack.reopen(options)
        let later = RemoteRecorder(stack.coordinator)
        await OtherProcess.save(1, to: stack.url.path)
        #expect(later.wait() == tokens(2))
        #expect(recorder.userInfoKeys == [])
        withExtendedLifetime(coordinator) {}
    }

    @Test func aProcessThatDiesInASaveLeavesNothing() async throws {
        try stack.film("mine", by: "me")
        let recorder = RemoteRecorder(stack.coordinator)
        await OtherProcess.dieInASave(of: stack.url.path)
        #expect(try stack.context.count("Film") == 1)
        #expect(try stack.story() == ["1 me: +Film/p1"])
        try stack.film("next", by: "me")
        #expect(try stack.story() == ["1 me: +Film/p1", "2 me: +Film/p2"])
        await OtherProcess.save(1, to: stack.url.path)
        #expect(recorder.wait(until: tokens(3)[0]))
        #expect(try stack.context.count("Film") == 3)
    }

    @Test func twoProcessesShareOneHistory() async throws {
        let path = stack.url.path
        async let other: Void = OtherProcess.save(50, to: path)
        for number in 0..<50 { try stack.film("\(number)", by: "me") }
        await other
        let all = try stack.history(.fetchHistory(after: nil as NSPersistentHistoryToken?))
        #expect(all.map(\.transactionNumber) == Array(1...100))
        #expect(all.filter { $0.author == "me" }.count == 50)
        #expect(Set(all.map(\.processID)).count == 2)
        #expect(all.flatMap { $0.changes ?? [] }.map(\.changeID) == Array(1...100))
        #expect(try stack.context.count("Film") == 100)
    }

    @Test func idleContextsLetTheirStatesGo() async throws {
        let film = try stack.film("mine")
        let context = stack.container.newBackgroundContext()
        let id = film.objectID
        try await context.perform {
            context.retainsRegisteredObjects = true
            let title = try context.existingObject(with: id).text("title")
            #expect(title == "mine")
            #expect(context.snapshot?.isActive == true)
        }
        let recorder = RemoteRecorder(stack.coordinator)
        await OtherProcess.save(10, to: stack.url.path)
        // Told before contexts are asked: by the second news they have answered to the first.
        #expect(recorder.wait(until: tokens(11)[0]))
        await OtherProcess.save(1, to: stack.url.path)
        #expect(recorder.wait(until: tokens(12)[0]))
        try await context.perform {
            #expect(context.snapshot?.isActive == false)
            #expect(context.registeredObjects.map { $0.text("title") } == ["mine"])
            let count = try context.count("Film")
            #expect(count == 12)
            #expect(context.snapshot?.isActive == true)
        }
    }
}
