// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

// Functions that know nothing of the roots of the key paths that they are given.

extension KeyPath {
    fileprivate var text: String { NSExpression(forKeyPath: self).keyPath }
    fileprivate var rising: NSSortDescriptor { NSSortDescriptor(keyPath: self, ascending: true) }
}

extension KeyPath {
    fileprivate var byLength: NSSortDescriptor {
        NSSortDescriptor(keyPath: self, ascending: true) { left, right in
            let counts = [left, right].map { ($0 as? String)?.count ?? 0 }
            return counts[0] == counts[1]
                ? .orderedSame : counts[0] < counts[1] ? .orderedAscending : .orderedDescending
        }
    }
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

    private func withFile(_ body: (NSManagedObjectContext) throws -> Void) throws {
        let container = NSPersistentContainer(
            name: "Generic", managedObjectModel: .library)
        let place = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString).lode")
        defer { try? FileManager.default.removeItem(at: place) }
        try container.persistentStoreCoordinator.addPersistentStore(type: .sqlite, at: place)
        try body(container.viewContext)
    }

    @Test func a_file_sorts_by_a_comparable_property() throws {
        try withFile { context in
            for age in [41, 17, 30] as [Int16] { Author(context: context).age = age }
            try context.save()
            let rising = Author.fetchRequest().sorted(by: \.age, ascending: true)
            #expect(try context.fetch(rising).map(\.age) == [17, 30, 41])
            let falling = Author.fetchRequest().sorted(by: \.age, ascending: false)
            #expect(falling.sortDescriptors?.first?.key == "age")
            Author(context: context).age = 35
            #expect(try context.fetch(falling).map(\.age) == [41, 35, 30, 17])
            falling.fetchLimit = 2
            falling.fetchOffset = 1
            falling.predicate = NSPredicate(format: "age > 20")
            #expect(try context.fetch(falling).map(\.age) == [35, 30])
            #expect(try context.count(for: falling) == 2)
        }
    }

    @Test func a_block_of_the_programs_compares() throws {
        try withFile { context in
            for name in ["ccc", "a", "bb"] { Author(context: context).name = name }
            try context.save()
            let request = Author.fetchRequest()
            request.sortDescriptors = [(\Author.name).byLength]
            #expect(try context.fetch(request).map(\.name) == ["a", "bb", "ccc"])
            let reversed = (\Author.name).byLength.reversedSortDescriptor
            request.sortDescriptors = [try #require(reversed as? NSSortDescriptor)]
            #expect(try context.fetch(request).map(\.name) == ["ccc", "bb", "a"])
        }
    }
}
