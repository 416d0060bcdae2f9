// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

// Functions that know nothing of the roots of the key paths that they are given.

extension KeyPath {
    fileprivate var text: String { NSExpression(forKeyPath: self).keyPath }
    fileprivate var rising: NSSortDescriptor { NSSortDescriptor(keyPath: self, ascending: true) }
}

extension NSFetchRequest {
    fileprivate func sorted<Value: Comparable>(
        by path: KeyPath<ResultType, Value>, ascending: Bool
    ) -> NSFetchRequest {
        sortDescriptors = [NSSortDescriptor(keyPath: path, ascending: ascending)]
        return self
    }
}

@Suite struct GenericKeyPathTests {
    @Test func a_key_path_of_any_root_has_its_name() {
        #expect((\Author.name).text == "name")
        #expect((\Author.books).text == "books")
        #expect((\Book.author?.age).text == "author.age")
    }

    @Test func an_optional_property_sorts() {
        #expect((\Author.name).rising.key == "name")
        #expect((\Author.name).rising.ascending)
    }

    @Test func a_file_sorts_by_a_comparable_property() throws {
        let container = NSPersistentContainer(
            name: "Generic", managedObjectModel: .library)
        let place = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString).lode")
        defer { try? FileManager.default.removeItem(at: place) }
        try container.persistentStoreCoordinator.addPersistentStore(type: .sqlite, at: place)
        let context = container.viewContext
        for age in [41, 17, 30] as [Int16] { Author(context: context).age = age }
        try context.save()
        #expect(
            try context.fetch(Author.fetchRequest().sorted(by: \.age, ascending: true)).map(\.age)
                == [17, 30, 41])
        let falling = Author.fetchRequest().sorted(by: \.age, ascending: false)
        #expect(falling.sortDescriptors?.first?.key == "age")
        Author(context: context).age = 35
        #expect(try context.fetch(falling).map(\.age) == [41, 35, 30, 17])
    }
}
