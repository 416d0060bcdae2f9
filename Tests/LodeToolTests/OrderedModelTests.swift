// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

/// Stores with an ordered relationship, which only programs make.
@Suite struct OrderedModelTests {
    private static func makeModel() -> NSManagedObjectModel {
        let (album, track) = (NSEntityDescription(), NSEntityDescription())
        (album.name, track.name) = ("Album", "Track")
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        let (tracks, inverse) = (NSRelationshipDescription(), NSRelationshipDescription())
        (tracks.name, inverse.name) = ("tracks", "album")
        (tracks.destinationEntity, inverse.destinationEntity) = (track, album)
        (tracks.isOrdered, inverse.maxCount) = (true, 1)
        tracks.inverseRelationship = inverse
        inverse.inverseRelationship = tracks
        album.properties = [name, tracks]
        track.properties = [inverse]
        let model = NSManagedObjectModel()
        model.entities = [album, track]
        return model
    }

    private static func fill(_ path: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel())
        let store = try coordinator.addPersistentStore(
            type: .sqlite, at: URL(fileURLWithPath: path))
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let album = NSEntityDescription.insertNewObject(
                forEntityName: "Album", into: context)
            album.setValue("Powerage", forKey: "name")
            for _ in 0..<3 {
                NSEntityDescription.insertNewObject(forEntityName: "Track", into: context)
                    .setValue(album, forKey: "album")
            }
            try context.save()
        }
        try coordinator.remove(store)
    }

    @Test func inspectsAndQueries() throws {
        try withTool { tool throws in
            try Self.fill(tool.store)
            let inspected = tool.lode("inspect", tool.store)
            #expect(inspected.output.contains("tracks  ->> Track  ordered, inverse album"))
            let found = tool.lode("query", tool.store, "Album", "tracks.@count == 3")
            #expect(found.status == 0)
            #expect(found.output.contains("Powerage"))
        }
    }
}
