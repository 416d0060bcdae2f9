// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// What a context's objects do in one of their hooks, once.
private final class HookedWork {
    let name: String
    private var body: (() -> Void)?

    init(_ name: String, _ body: @escaping () -> Void) {
        self.name = name
        self.body = body
    }

    var hasRun: Bool { body == nil }

    func run() {
        let body = self.body.take()
        body?()
    }
}

/// A book with hooks that the context's user info knows.
final class HookedBook: NSManagedObject {
    static let key = "HookedBook.work"

    private func run(_ name: String) {
        let work = managedObjectContext?.userInfo[HookedBook.key] as? HookedWork
        if work?.name == name { work?.run() }
    }

    override func willSave() { run("willSave") }
    override func didSave() { run("didSave") }
    override func awakeFromFetch() { run("awakeFromFetch") }
    override func awakeFromInsert() { run("awakeFromInsert") }
    override func prepareForDeletion() { run("prepareForDeletion") }
    override func willTurnIntoFault() { run("willTurnIntoFault") }
}

/// Stores that another thread removes while a hook asks another context.
@Suite struct RemovalInHooksTests {
    enum Asked: String, CaseIterable, Sendable { case sibling, main, parent, child }

    static let hooks = [
        "willSave", "didSave", "awakeFromFetch", "awakeFromInsert", "prepareForDeletion",
        "willTurnIntoFault",
    ]

    /// Does what has the hook called.
    private func use(_ context: NSManagedObjectContext, _ hook: String) {
        do {
            let book = try context.all("Book").first
            switch hook {
            case "awakeFromFetch": _ = book?.text("title")
            case "awakeFromInsert": context.make("Book")
            case "prepareForDeletion":
                book.map(context.delete)
                context.processPendingChanges()
            case "willTurnIntoFault":
                _ = book?.text("title")
                book.map { context.refresh($0, mergeChanges: false) }
            default:
                book?.setValue("b", forKey: "title")
                try context.save()
            }
        } catch {
            // The store has gone: what matters is that the program goes on.
            #expect((error as? CocoaError)?.errorCode != nil)
        }
    }

    private func ask(_ context: NSManagedObjectContext) {
        context.performAndWait {
            do {
                for book in try context.all("Book") { book.setValue("c", forKey: "title") }
                context.make("Book")
                try context.save()
            } catch {
                #expect((error as? CocoaError)?.errorCode != nil)
                context.rollback()
            }
        }
    }

    @Test(arguments: hooks, Asked.allCases)
    func a_hook_asks_another_context(hook: String, asked: Asked) throws {
        for _ in 0..<8 {
            let folder = try StoreFolder()
            let model = LibraryModel.make()
            model.entitiesByName["Book"]?.managedObjectClassName = NSStringFromClass(
                HookedBook.self)
            let root = try folder.open(
                [("a.lode", "Catalogue"), ("notes.lode", "Notes")], model: model)
            root.make("Book", ["title": "a"])
            try root.save()
            let first = NSManagedObjectContext(.privateQueue)
            first.persistentStoreCoordinator = folder.coordinator
            let second: NSManagedObjectContext
            switch asked {
            case .sibling:
                second = NSManagedObjectContext(.privateQueue)
                second.persistentStoreCoordinator = folder.coordinator
            case .main:
                second = NSManagedObjectContext(.mainQueue)
                second.persistentStoreCoordinator = folder.coordinator
            case .parent, .child: second = Stack.child(of: first)
            }
            let (context, other) = asked == .parent ? (second, first) : (first, second)
            removeStores(of: folder, while: hook, of: context, other)
            #expect(folder.coordinator.persistentStores.isEmpty)
            context.performAndWait {
                context.reset()
                #expect(code { _ = try context.all("Book") } == 134070)
            }
        }
    }

    /// Has a hook of a context start the removal of all stores, and ask another context meanwhile.
    private func removeStores(
        of folder: StoreFolder, while hook: String, of context: NSManagedObjectContext,
        _ other: NSManagedObjectContext
    ) {
        let coordinator = folder.coordinator
        let started = DispatchSemaphore(value: 0)
        let finished = DispatchSemaphore(value: 0)
        // The semaphore orders the accesses.
        nonisolated(unsafe) var failure: (any Error)?
        context.performAndWait {
            let work = HookedWork(hook) {
                Thread.detachNewThread {
                    started.signal()
                    do {
                        for store in coordinator.persistentStores { try coordinator.remove(store) }
                    } catch {
                        failure = error
                    }
                    finished.signal()
                }
                started.wait()
                ask(other)
            }
            context.userInfo[HookedBook.key] = work
            use(context, hook)
            #expect(work.hasRun)
            work.run()
            context.userInfo.removeObject(forKey: HookedBook.key)
        }
        finished.wait()
        #expect(failure == nil)
    }
}
