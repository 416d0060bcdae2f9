// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Synchronization
import Testing

/// Told of each object that a fetch makes, on the fetch's thread.
private let makings = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

/// Tells its context's hook that it is made.
private final class Noticed: NSManagedObject {
    required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        guard let context else { return }
        makings.withLock { $0[ObjectIdentifier(context)] }?()
    }
}

/// Asynchronous fetches that are cancelled, or followed, while they run.
@Suite struct AsynchronousFetchTests {
    private typealias Fetch = NSAsynchronousFetchRequest<NSManagedObject>
    private typealias Found = NSAsynchronousFetchResult<NSManagedObject>

    /// Counts, and does something at a certain number.
    private final class Counter: Sendable {
        // Counted on the fetch's thread.
        private let made = Mutex(0)
        var count: Int { made.withLock { $0 } }

        func step(_ number: Int, _ body: () -> Void) {
            let isReached = made.withLock {
                $0 += 1
                return $0 == number
            }
            if isReached { body() }
        }
    }

    /// What a hook needs to know of a fetch that has not begun when the hook is set.
    private final class Started: Sendable {
        // Set before the fetch begins, on the context's queue.
        private let progress = Mutex<Progress?>(nil)
        func set(_ value: Progress?) { progress.withLock { $0 = value } }
        var completed: Int64? { progress.withLock { $0?.completedUnitCount } }
        func cancel() { progress.withLock { $0 }?.cancel() }
    }

    private func stack(_ count: Int = 3_500) throws -> Stack {
        let number = NSAttributeDescription(name: "number", type: .integer64)
        let stack = try Stack(
            NSManagedObjectModel(entities: [
                NSEntityDescription(
                    name: "Item", managedObjectClass: Noticed.self, properties: [number])
            ]))
        var row = 0
        try stack.context.execute(
            NSBatchInsertRequest(entityName: "Item") { (item: NSManagedObject) in
                row += 1
                item.setValue(row, forKey: "number")
                return row > count
            })
        return stack
    }

    private func request(_ format: String? = nil) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = format.map { NSPredicate(format: $0) }
        return request
    }

    /// Runs a fetch to its end; the hook is called for each object made.
    private func run(
        _ request: NSFetchRequest<NSManagedObject>, in context: NSManagedObjectContext,
        estimate: Int = 0, _ hook: @escaping @Sendable (Started) -> Void = { _ in }
    ) throws -> Found {
        let done = DispatchSemaphore(value: 0)
        let fetch = Fetch(fetchRequest: request) { _ in done.signal() }
        fetch.estimatedResultCount = estimate
        let started = Started()
        let id = ObjectIdentifier(context)
        makings.withLock { $0[id] = { hook(started) } }
        defer { makings.withLock { $0[id] = nil } }
        let result = try context.performAndWait {
            // The block waits for the context, so the fetch cannot have begun.
            let result = try context.execute(fetch) as? Found
            started.set(result?.progress)
            return result
        }
        #expect(done.wait(timeout: .now() + 60) == .success)
        return try #require(result)
    }

    @Test func cancelling_ends_a_fetch_in_between() throws {
        let stack = try stack()
        let context = stack.container.newBackgroundContext()
        let made = Counter()
        let result = try run(request(), in: context) { started in
            made.step(1_500) { started.cancel() }
        }
        context.performAndWait {
            #expect(result.finalResult == nil)
            #expect((result.operationError as? CocoaError)?.code == .userCancelled)
            #expect(result.progress?.completedUnitCount == 999)
        }
        // The two thousandth was looked at, and not made.
        #expect(made.count == 1_999)
        // The context is as usable as before.
        let next = try run(request("number > 3000"), in: context)
        context.performAndWait {
            #expect(next.finalResult?.count == 500 && next.operationError == nil)
        }
    }

    @Test func a_fetch_tells_how_far_it_is() throws {
        let stack = try stack()
        let context = stack.container.newBackgroundContext()
        let made = Counter()
        let seen = Mutex<[Int64?]>([])
        let result = try run(request(), in: context, estimate: 1_200) { started in
            for number in [500, 1_500, 2_500] {
                if made.count + 1 == number { seen.withLock { $0.append(started.completed) } }
            }
            made.step(0) {}
        }
        #expect(seen.withLock { $0 } == [0, 999, 1_999])
        context.performAndWait {
            #expect(result.finalResult?.count == 3_500)
            #expect(result.progress?.totalUnitCount == 3_500)
            #expect(result.progress?.completedUnitCount == 3_500)
            #expect(result.progress?.isFinished == true)
        }
    }

    @Test func an_unknown_number_is_indeterminate() throws {
        let stack = try stack(10)
        let context = stack.container.newBackgroundContext()
        let done = DispatchSemaphore(value: 0)
        let fetch = Fetch(fetchRequest: request("number > 100")) { _ in done.signal() }
        let result = try context.performAndWait {
            let result = try #require(try context.execute(fetch) as? Found)
            #expect(result.progress?.isIndeterminate == true)
            #expect(result.progress?.totalUnitCount == -1)
            return result
        }
        #expect(done.wait(timeout: .now() + 60) == .success)
        context.performAndWait {
            #expect(result.finalResult == [])
            #expect(result.progress?.isFinished == true)
        }
    }

    @Test func a_parent_progress_cancels_and_follows() throws {
        let stack = try stack()
        let context = stack.container.newBackgroundContext()
        let made = Counter()
        let id = ObjectIdentifier(context)
        let parent = Started()
        let whole = Progress(totalUnitCount: 4)
        let done = DispatchSemaphore(value: 0)
        parent.set(whole)
        makings.withLock { $0[id] = { made.step(2_000) { parent.cancel() } } }
        defer { makings.withLock { $0[id] = nil } }
        func start(_ format: String?) throws -> Found {
            whole.becomeCurrent(withPendingUnitCount: 2)
            defer { whole.resignCurrent() }
            let fetch = Fetch(fetchRequest: request(format)) { _ in done.signal() }
            let result = try context.performAndWait {
                try #require(try context.execute(fetch) as? Found)
            }
            #expect(done.wait(timeout: .now() + 60) == .success)
            return result
        }
        let first = try start("number < 100")
        context.performAndWait { #expect(first.finalResult?.count == 99) }
        #expect(whole.completedUnitCount == 2)
        let second = try start(nil)
        context.performAndWait {
            #expect((second.operationError as? CocoaError)?.code == .userCancelled)
            #expect(second.finalResult == nil)
        }
        #expect(whole.completedUnitCount == 2)
    }

    @Test func sorted_and_pending_fetches_are_cancelled_too() throws {
        let stack = try stack()
        let context = stack.container.newBackgroundContext()
        let sorted = request()
        sorted.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
        let made = Counter()
        let result = try run(sorted, in: context) { started in made.step(1) { started.cancel() } }
        context.performAndWait {
            #expect(result.finalResult == nil && result.operationError != nil)
            context.make("Item", ["number": 9_999])
        }
        let again = Counter()
        let pending = try run(request("number > 100"), in: context) { started in
            again.step(1) { started.cancel() }
        }
        context.performAndWait {
            #expect(pending.finalResult == nil && again.count >= 1)
            #expect((pending.operationError as? CocoaError)?.code == .userCancelled)
            #expect(context.insertedObjects.count == 1)
        }
    }
}
