// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

final class Album: NSManagedObject {
    @Managed var name: String
    @Managed var tracks: NSOrderedSet?
    @Managed("tracks") var list: [Track]
    @Managed("tracks") var members: Set<Track>
    @Managed("tracks") var loose: NSSet?
}

final class Track: NSManagedObject {
    @Managed var name: String
    @Managed var album: Album?
}

@Suite struct OrderedPropertyTests {
    private static func makeContext() throws -> NSManagedObjectContext {
        let (album, track) = (NSEntityDescription(), NSEntityDescription())
        for (entity, name) in [(album, "Album"), (track, "Track")] {
            entity.name = name
            entity.managedObjectClassName =
                NSStringFromClass(name == "Album" ? Album.self : Track.self)
            let attribute = NSAttributeDescription()
            attribute.name = "name"
            attribute.attributeType = .stringAttributeType
            entity.properties = [attribute]
        }
        let (tracks, inverse) = (NSRelationshipDescription(), NSRelationshipDescription())
        (tracks.name, inverse.name) = ("tracks", "album")
        (tracks.destinationEntity, inverse.destinationEntity) = (track, album)
        inverse.maxCount = 1
        tracks.isOrdered = true
        tracks.inverseRelationship = inverse
        inverse.inverseRelationship = tracks
        album.properties.append(tracks)
        track.properties.append(inverse)
        let model = NSManagedObjectModel()
        model.entities = [album, track]
        return try NSPersistentContainer.inMemory("Albums", model).newBackgroundContext()
    }

    private static func tracks(_ names: String, _ context: NSManagedObjectContext) -> [Track] {
        names.map { name in
            let track = Track(context: context)
            track.name = "\(name)"
            return track
        }
    }

    @Test func generatedAccessors() throws {
        let context = try Self.makeContext()
        let album = Album(context: context)
        func letters() -> String { album.list.map(\.name).joined() }
        let tracks = Self.tracks("abcdefg", context)
        album.addToTracks(NSOrderedSet(array: Array(tracks[0..<3])))
        album.insertIntoTracks(tracks[3], at: 0)
        #expect(letters() == "dabc")
        album.insertIntoTracks(Array(tracks[4...5]), at: NSIndexSet(indexSet: [1, 5]))
        #expect(letters() == "deabcf")
        album.removeFromTracks(at: 0)
        album.removeFromTracks(at: NSIndexSet(indexSet: [0, 4]))
        #expect(letters() == "abc")
        album.replaceTracks(at: 1, with: tracks[6])
        album.replaceTracks(at: NSIndexSet(indexSet: [0, 2]), with: [tracks[3], tracks[4]])
        #expect(letters() == "dge")
        #expect(tracks.map { $0.album != nil } == [false, false, false, true, true, false, true])
        album.addToTracks(tracks[0])
        album.removeFromTracks(tracks[6])
        album.removeFromTracks(NSOrderedSet(array: [tracks[3], tracks[1]]))
        #expect(letters() == "ea")
        try context.save()
        #expect(letters() == "ea")
    }

    @Test func typesOfTheProperty() throws {
        let context = try Self.makeContext()
        let album = Album(context: context)
        #expect(album.tracks?.count == 0)
        let tracks = Self.tracks("abc", context)
        album.list = [tracks[2], tracks[0], tracks[2]]
        #expect(album.tracks?.array as? [Track] == [tracks[2], tracks[0]])
        #expect(album.members == [tracks[0], tracks[2]])
        album.tracks = NSOrderedSet(array: tracks)
        #expect(album.list == tracks)
        album.members = [tracks[2], tracks[0]]
        #expect(album.list == [tracks[0], tracks[2]])
        album.tracks = nil
        #expect(album.list.isEmpty && tracks[0].album == nil)
    }

    @Test func what_was_read_can_be_cast_to_a_mutable_set() throws {
        let context = try Self.makeContext()
        let album = Album(context: context)
        let tracks = Self.tracks("abc", context)
        album.list = [tracks[0], tracks[1]]
        let read = try #require(album.tracks as? NSMutableOrderedSet)
        read.insert(tracks[2], at: 0)
        #expect(album.list == [tracks[0], tracks[1]])
        album.tracks = read
        #expect(album.list == [tracks[2], tracks[0], tracks[1]])
        read.remove(tracks[2])
        #expect(album.tracks?.count == 3)
        let byKey = try #require(album.value(forKey: "tracks") as? NSMutableOrderedSet)
        byKey.removeAllObjects()
        #expect(album.tracks?.count == 3)
        let primitive = try #require(album.primitiveValue(forKey: "tracks") as? NSMutableOrderedSet)
        primitive.removeAllObjects()
        #expect(album.tracks?.count == 3)
        let loose = try #require(album.loose as? NSMutableSet)
        loose.remove(tracks[1])
        #expect(album.loose?.count == 3)
        album.loose = loose
        #expect(album.list == [tracks[2], tracks[0]])
        #expect(album.loose as? Set<Track> == [tracks[0], tracks[2]])
        #expect(album.tracks?.isEqual(NSOrderedSet(array: [tracks[2], tracks[0]])) == true)
    }
}
