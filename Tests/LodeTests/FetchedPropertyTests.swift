// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

/// A reader, who knows those of the same town without being related to them.
private final class TownReader: NSManagedObject {
    @Managed var name: String
    @Managed var town: String
    @Managed var neighbours: [TownReader]
    @Managed var friends: [TownReader]
}

/// Fetched properties as typed arrays.
@Suite struct FetchedPropertyTests {
    private func container() throws -> NSPersistentContainer {
        let reader = NSEntityDescription(
            name: "TownReader", managedObjectClass: TownReader.self,
            properties: [
                NSAttributeDescription(name: "name", type: .string),
                NSAttributeDescription(name: "town", type: .string),
            ])
        let friends = NSRelationshipDescription()
        friends.name = "friends"
        friends.destinationEntity = reader
        friends.inverseRelationship = friends
        let neighbours = NSFetchedPropertyDescription()
        neighbours.name = "neighbours"
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "TownReader")
        request.predicate = NSPredicate(
            format: "town == $FETCH_SOURCE.town AND SELF != $FETCH_SOURCE")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        neighbours.fetchRequest = request
        reader.properties += [friends, neighbours]
        return try .inMemory("Readers", NSManagedObjectModel(entities: [reader]))
    }

    @Test func are_arrays_of_the_class() throws {
        let container = try container()
        let context = container.viewContext
        let readers = [("Ann", "York"), ("Bob", "Bath"), ("Cid", "York"), ("Dan", "York")].map {
            let reader = TownReader(context: context)
            (reader.name, reader.town) = ($0.0, $0.1)
            return reader
        }
        readers[0].friends = [readers[1]]
        #expect(readers[0].neighbours.map(\.name) == ["Cid", "Dan"])
        #expect(readers[1].neighbours.isEmpty)
        #expect(readers[0].friends.map(\.name) == ["Bob"])
        try context.save()
        readers[1].town = "York"
        context.refresh(readers[0], mergeChanges: true)
        #expect(readers[0].neighbours.map(\.name) == ["Bob", "Cid", "Dan"])
    }
}
