// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

/// Counts what goes through it.
final class AuditedContext: NSManagedObjectContext {
    var saves = 0
    var log: [String] = []
    var failure: (any Error)?

    override init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        super.init(concurrencyType: ct)
        name = "audited"
    }

    override func save() throws {
        if let failure { throw failure }
        saves += 1
        for case let author as Author in insertedObjects where author.name == nil {
            author.name = "nobody"
        }
        try super.save()
    }

    override func delete(_ object: NSManagedObject) {
        log.append("delete")
        super.delete(object)
    }

    override func insert(_ object: NSManagedObject) {
        log.append("insert")
        super.insert(object)
    }

    override func rollback() {
        log.append("rollback")
        super.rollback()
    }

    override func perform(_ block: @escaping () -> Void) { performAndWait(block) }

    override func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        log.append("execute")
        return try super.execute(request)
    }

    override var hasChanges: Bool { failure == nil && super.hasChanges }
}

@Suite struct ContextSubclassTests {
    private func context() -> (NSPersistentContainer, AuditedContext) {
        let container = NSPersistentContainer.inMemory()
        let context = AuditedContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        return (container, context)
    }

    @Test func overrides_run() throws {
        let (_, context) = context()
        var isRun = false
        context.perform { isRun = true }
        #expect(isRun)
        let author = Author(context: context)
        try (context as NSManagedObjectContext).save()
        #expect(author.name == "nobody" && context.saves == 1)
        context.delete(author)
        (context as NSManagedObjectContext).rollback()
        context.insert(Author(entity: Author.entity(), insertInto: nil))
        _ = try context.execute(NSBatchUpdateRequest(entityName: "Author"))
        #expect(context.log == ["delete", "rollback", "insert", "execute"])
        #expect(context.name == "audited")
    }

    @Test func a_save_can_be_made_to_fail() {
        let (_, context) = context()
        _ = Author(context: context)
        context.failure = CocoaError(.fileWriteNoPermission)
        #expect(!(context as NSManagedObjectContext).hasChanges)
        #expect(throws: CocoaError.self) { try context.save() }
        #expect(context.saves == 0)
    }

    @Test func a_child_of_another_class_saves_into_it() throws {
        let (_, context) = context()
        let child = AuditedContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        try child.performAndWait {
            Author(context: child).name = "Ann"
            try child.save()
        }
        #expect(child.saves == 1 && context.saves == 0)
        #expect(context.insertedObjects.count == 1)
    }
}
