// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

final class ListShelf: NSManagedObject {
    @Managed var name: String
    @Managed var volumes: [ListVolume]
    @Managed("volumes") var perhaps: [ListVolume]?
    @Managed("volumes") var wrong: [ListShelf]
}

final class ListVolume: NSManagedObject {
    @Managed var name: String
    @Managed var shelf: ListShelf?
}

/// To-many relationships without an order of their own, as lists.
@Suite struct ListPropertyTests {
    private static func makeContext() throws -> NSManagedObjectContext {
        let shelf = NSEntityDescription(
            name: "ListShelf", managedObjectClass: ListShelf.self,
            properties: [NSAttributeDescription(name: "name", type: .string)])
        let volume = NSEntityDescription(
            name: "ListVolume", managedObjectClass: ListVolume.self,
            properties: [NSAttributeDescription(name: "name", type: .string)])
        let (volumes, inverse) = (NSRelationshipDescription(), NSRelationshipDescription())
        (volumes.name, inverse.name) = ("volumes", "shelf")
        (volumes.destinationEntity, inverse.destinationEntity) = (volume, shelf)
        inverse.maxCount = 1
        volumes.inverseRelationship = inverse
        inverse.inverseRelationship = volumes
        shelf.properties.append(volumes)
        volume.properties.append(inverse)
        let model = NSManagedObjectModel(entities: [shelf, volume])
        return try NSPersistentContainer.inMemory("Lists", model).newBackgroundContext()
    }

    private static func shelf(
        _ names: String, _ context: NSManagedObjectContext
    ) throws -> ListShelf {
        let shelf = ListShelf(context: context)
        shelf.name = "s"
        shelf.volumes = names.map { name in
            let volume = ListVolume(context: context)
            volume.name = "\(name)"
            return volume
        }
        try context.save()
        return shelf
    }

    private func letters(_ list: [ListVolume]?) -> String? { list?.map(\.name).joined() }

    @Test func aListIsAscendingByID() throws {
        let context = try Self.makeContext()
        let shelf = try Self.shelf("abcd", context)
        #expect(letters(shelf.volumes) == "abcd")
        let volumes = shelf.volumes
        shelf.volumes = [volumes[3], volumes[0], volumes[3], volumes[2]]
        #expect(letters(shelf.volumes) == "acd")
        #expect(volumes[1].shelf == nil && volumes[3].shelf === shelf)
        try context.save()
        context.reset()
        let read = try context.fetch(NSFetchRequest<ListShelf>(entityName: "ListShelf"))
        #expect(letters(read.first?.volumes) == "acd")
    }

    @Test func anOptionalListIsNeverNil() throws {
        let context = try Self.makeContext()
        let shelf = try Self.shelf("ab", context)
        #expect(letters(shelf.perhaps) == "ab")
        shelf.perhaps = nil
        #expect(letters(shelf.perhaps) == "" && shelf.volumes.isEmpty)
        shelf.perhaps = []
        #expect(shelf.perhaps?.isEmpty == true)
    }

    @Test func aListOfAnotherClassTraps() async {
        await #expect(processExitsWith: .failure) {
            let context = try ListPropertyTests.makeContext()
            let shelf = try ListPropertyTests.shelf("ab", context)
            exit(shelf.wrong.isEmpty ? 0 : 0)
        }
    }
}
