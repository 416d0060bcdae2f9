// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Requests of any kind: executing, asynchronous fetches, templates, refreshing.
@Suite struct RequestTests {
    private final class OtherRequest: NSPersistentStoreRequest {}

    private func items() throws -> Stack {
        let stack = try Stack(ItemModel.make())
        for number in 1...3 { stack.context.make("Item", ["name": "\(number)", "number": number]) }
        try stack.context.save()
        return stack
    }

    private func request(_ format: String? = nil) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = format.map { NSPredicate(format: $0) }
        return request
    }

    @Test func threads_share_a_template() throws {
        let model = ItemModel.make()
        model.setFetchRequestTemplate(NSFetchRequest(entityName: "Item"), forName: "all")
        let stacks = try [Stack(model), Stack(ItemModel.make())]
        // One for each thread, which uses it in its blocks.
        nonisolated(unsafe) let contexts = (0..<4).map {
            stacks[$0 % 2].container.newBackgroundContext()
        }
        // Shared, as nobody changes it.
        nonisolated(unsafe) let template = try #require(model.fetchRequestTemplate(forName: "all"))
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            contexts[number].performAndWait {
                for _ in 0..<200 {
                    let count = try? contexts[number].fetch(template).count
                    #expect(count == 0)
                }
            }
        }
        #expect(template.entity?.name == "Item")
    }

    @Test func a_request_by_name_has_an_entity_once_it_ran() throws {
        let (first, second) = (try items(), try items())
        let request = request("number > 1")
        #expect(request.entity == nil)
        let found = try first.context.fetch(request)
        #expect(request.entity === found[0].entity && request.entityName == "Item")
        #expect((request.copy() as? NSFetchRequest<NSManagedObject>)?.entity === found[0].entity)
        // It asks for the name still, not for the entity of the other model.
        let others = try second.context.fetch(request)
        #expect(others.count == 2 && request.entity === found[0].entity)
        #expect(others[0].entity !== found[0].entity)
        let counted = self.request()
        #expect(try first.context.count(for: counted) == 3)
        #expect(counted.entity === found[0].entity)
        request.entity = nil
        #expect(request.entity == nil && request.entityName == nil)
    }

    @Test func a_fetch_is_a_request() throws {
        let stack = try items()
        let result = try stack.context.execute(request("number > 1"))
        let found = try #require(result as? NSAsynchronousFetchResult<NSManagedObject>)
        #expect(found.finalResult?.map { $0.number("number") } == [2, 3])
        let coordinator = stack.container.persistentStoreCoordinator
        let list = try coordinator.execute(request(), with: stack.context) as? [NSManagedObject]
        #expect(list?.count == 3)
        #expect(code { try stack.context.execute(OtherRequest()) } == 134091)
    }

    @Test func requests_go_to_the_stores_they_affect() throws {
        let stack = try items()
        let other = try items()
        let fetch = request()
        fetch.affectedStores = other.container.persistentStoreCoordinator.persistentStores
        #expect(code { try stack.context.execute(fetch) } == 134070)
        fetch.affectedStores = stack.container.persistentStoreCoordinator.persistentStores
        #expect(code { try stack.context.execute(fetch) } == nil)
    }

    @Test func an_asynchronous_fetch_tells_when_it_is_done() throws {
        let stack = try items()
        let context = stack.container.newBackgroundContext()
        let done = DispatchSemaphore(value: 0)
        let fetch = NSAsynchronousFetchRequest(fetchRequest: request("number < 3")) { result in
            #expect(result.finalResult?.map { $0.number("number") } == [1, 2])
            #expect(result.operationError == nil)
            done.signal()
        }
        let started = try context.performAndWait { try context.execute(fetch) }
        let result = try #require(started as? NSAsynchronousFetchResult<NSManagedObject>)
        #expect(done.wait(timeout: .now() + 60) == .success)
        context.performAndWait {
            #expect(result.progress?.fractionCompleted == 1)
            #expect(result.fetchRequest === fetch && result.managedObjectContext === context)
        }
    }

    @Test func a_cancelled_fetch_finds_nothing() throws {
        let stack = try items()
        let context = stack.container.newBackgroundContext()
        let done = DispatchSemaphore(value: 0)
        let fetch = NSAsynchronousFetchRequest(fetchRequest: request()) { _ in done.signal() }
        let result = try context.performAndWait {
            // The block waits for the context, so the fetch cannot have begun.
            let result = try context.execute(fetch) as? NSAsynchronousFetchResult<NSManagedObject>
            result?.cancel()
            return result
        }
        #expect(done.wait(timeout: .now() + 60) == .success)
        context.performAndWait {
            #expect(result?.finalResult == nil)
            #expect((result?.operationError as? CocoaError)?.code == .userCancelled)
        }
    }

    @Test func templates_have_their_variables_replaced() throws {
        let model = ItemModel.make()
        let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        template.predicate = NSPredicate(format: "number > $LEAST AND name != $NAME")
        template.fetchLimit = 5
        model.setFetchRequestTemplate(template, forName: "above")
        #expect(model.fetchRequestTemplate(forName: "above") === template)
        #expect(model.fetchRequestTemplatesByName.count == 1)
        #expect(model.fetchRequestTemplate(forName: "none") == nil)
        let stack = try Stack(try #require(model.copy() as? NSManagedObjectModel))
        for number in 1...3 { stack.context.make("Item", ["name": "\(number)", "number": number]) }
        let made = try #require(
            stack.model.fetchRequestFromTemplate(
                withName: "above", substitutionVariables: ["LEAST": 1, "NAME": "2"]))
        #expect(made.fetchLimit == 5 && made !== template)
        let found = try stack.context.fetch(made) as? [NSManagedObject]
        #expect(found?.map { $0.text("name") } == ["3"])
    }

    @Test func refetched_objects_are_refreshed_if_asked() throws {
        let stack = try items()
        let all = try stack.context.all("Item")
        #expect(all.map { $0.number("number") } == [1, 2, 3])
        all[2].setValue("mine", forKey: "name")
        let update = NSBatchUpdateRequest(entityName: "Item")
        update.propertiesToUpdate = ["number": 7]
        try stack.context.execute(update)
        let fetch = request()
        _ = try stack.context.fetch(fetch)
        #expect(all.map { $0.number("number") } == [1, 2, 3])
        fetch.shouldRefreshRefetchedObjects = true
        _ = try stack.context.fetch(fetch)
        #expect(all.map { $0.number("number") } == [7, 7, 3])
        #expect(all[2].text("name") == "mine" && all[2].isUpdated)
    }

    @Test func a_list_of_properties_changes_no_value_of_an_object() throws {
        let stack = try items()
        func fetch(_ properties: [Any]?) throws -> [NSManagedObject] {
            stack.context.reset()
            let fetch = request("number > 1")
            fetch.propertiesToFetch = properties
            return try stack.context.fetch(fetch)
        }
        for properties in [nil, ["name"], ["number"], []] as [[Any]?] {
            let found = try fetch(properties)
            #expect(found.map(\.isFault) == [true, true])
            #expect(found.map { $0.text("name") } == ["2", "3"])
            #expect(found.map(\.isFault) == [false, false])
            #expect(found.map { $0.number("number") } == [2, 3])
            found[0].setValue("x", forKey: "name")
            found[1].setValue(7, forKey: "number")
            #expect(found[0].changedValues().keys.sorted() == ["name"])
            try stack.context.save()
            #expect(try stack.context.names("Item", "TRUEPREDICATE") == ["1", "3", "x"])
            found[0].setValue("2", forKey: "name")
            found[1].setValue(3, forKey: "number")
            try stack.context.save()
        }
    }
}
