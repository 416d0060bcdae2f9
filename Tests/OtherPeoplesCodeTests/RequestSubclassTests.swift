// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

final class AuthorRequest: NSFetchRequest<Author> {
    convenience init(named name: String) {
        self.init(entityName: "Author")
        predicate = NSPredicate(format: "name == %@", name)
    }
}

extension NSFetchRequest where ResultType: NSManagedObject {
    convenience init(sortedBy keys: [String] = []) {
        self.init()
        entity = ResultType.entity()
        sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
    }
}

extension NSFetchRequest {
    func limited(to count: Int) -> NSFetchRequest<ResultType> {
        fetchLimit = count
        return self
    }
}

@Suite struct RequestSubclassTests {
    @Test func subclasses_and_extensions_fetch() throws {
        let context = NSPersistentContainer.inMemory().viewContext
        for name in ["Bob", "Ann"] { _ = Author(name: name, context: context) }
        #expect(try context.fetch(AuthorRequest(named: "Ann")).map(\.name) == ["Ann"])
        let request = NSFetchRequest<Author>(sortedBy: ["name"])
        #expect(request.entityName == "Author")
        #expect(try context.fetch(request.limited(to: 1)).map(\.name) == ["Ann"])
    }
}
