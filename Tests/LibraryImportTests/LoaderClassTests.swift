// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import ManagedObjects
import Testing

/// Overrides the setter by key, as the program that imports may have it.
final class LoudAlbum: NSManagedObject {
    override func setValue(_ value: Any?, forKey key: String) {
        super.setValue((value as? String)?.uppercased() ?? value, forKey: key)
    }
}

/// Registers an accessor.
final class StarredArtist: NSManagedObject {
    var starred: String? {
        get { primitiveValue(forKey: "name") as? String }
        set { setPrimitiveValue(newValue.map { "*\($0)" }, forKey: "name") }
    }

    override class var keyValueAccessors: [KeyValueAccessor] {
        super.keyValueAccessors + [KeyValueAccessor("name", \StarredArtist.starred)]
    }
}

/// Imports into stores whose models are not inferred: with classes and entities below others.
@Suite struct LoaderClassTests {
    private static let files = [
        "Album.csv": "AlbumId,Title,ArtistId\n1,Rock,1\n2,Balls,1\n",
        "Artist.csv": "ArtistId,Name\n1,AC/DC\n",
        "Playlist.csv": "PlaylistId,Name\n1,Loud\n",
        "AlbumPlaylist.csv": "AlbumId,PlaylistId\n1,1\n2,1\n",
    ]

    /// Makes a store of the model that the files have, after a change.
    private func prepare(
        _ place: Workplace, _ change: ([String: NSEntityDescription]) -> [NSEntityDescription],
        _ fill: (NSManagedObjectContext) throws -> Void = { _ in }
    ) throws {
        _ = try place.load(Self.files)
        try place.remakeStore({ $0.entities += change($0.entitiesByName) }, fill)
    }

    @Test(arguments: [1, 10_000]) func callsOverridesAndAccessors(batchSize: Int) throws {
        try withWorkplace { place throws in
            try prepare(place) { entities in
                entities["Album"]?.managedObjectClassName = NSStringFromClass(LoudAlbum.self)
                entities["Artist"]?.managedObjectClassName = NSStringFromClass(StarredArtist.self)
                return []
            }
            #expect(
                try place.load(Self.files, batchSize: batchSize).counts == [
                    "Album 2/0/0/0", "Artist 1/0/0/0", "Playlist 1/0/0/0", "AlbumPlaylist 2/0/0",
                ])
            let expected = [
                "Album albumId=1 title=ROCK artist=1 playlists=[1]",
                "Album albumId=2 title=BALLS artist=1 playlists=[1]",
                "Artist artistId=1 name=*AC/DC albums=[1 2]",
                "Playlist playlistId=1 name=Loud albums=[1 2]",
            ]
            try place.expect(expected)
            // The rows differ from what the classes have made of them.
            #expect(
                try place.load(Self.files, batchSize: batchSize).counts == [
                    "Album 0/2/0/0", "Artist 0/1/0/0", "Playlist 0/0/1/0", "AlbumPlaylist 0/2/0",
                ])
            try place.expect(expected)
        }
    }

    @Test func changesObjectsOfEntitiesBelow() throws {
        try withWorkplace { place throws in
            try prepare(place) { entities in
                let single = NSEntityDescription()
                single.name = "Single"
                let side = NSAttributeDescription()
                side.name = "bSide"
                side.attributeType = .booleanAttributeType
                single.properties = [side]
                entities["Album"]?.subentities = [single]
                return [single]
            } _: { context in
                let single = NSEntityDescription.insertNewObject(
                    forEntityName: "Single", into: context)
                single.setValue(2, forKey: "albumId")
                single.setValue("B", forKey: "title")
                let artist = NSEntityDescription.insertNewObject(
                    forEntityName: "Artist", into: context)
                artist.setValue(1, forKey: "artistId")
                artist.setValue("AC/DC", forKey: "name")
                single.setValue(artist, forKey: "artist")
            }
            #expect(
                try place.load(Self.files).counts == [
                    "Album 1/1/0/0", "Artist 0/0/1/0", "Playlist 1/0/0/0", "AlbumPlaylist 2/0/0",
                ])
            // An entity below another has no constraint of its own for the dump to go by.
            try place.expect([
                "Album albumId=1 title=Rock artist=1 playlists=[1]",
                "Single albumId=2 title=Balls artist=1 playlists=[1] bSide=nil",
                "Artist artistId=1 name=AC/DC albums=[1 ?]",
                "Playlist playlistId=1 name=Loud albums=[1 ?]",
                "Single albumId=2 title=Balls artist=1 playlists=[1] bSide=nil",
            ])
        }
    }

    private static let mapping = """
        {"entities": {"A": {"key": "id", "attributes": {
          "u": {"type": "uri"}, "d": {"type": "decimal"}}}}}
        """

    @Test func writesURIsAndDecimalsThatFoundationSpellsOtherwiseOnce() throws {
        let files = ["A.csv": "id,u,d\n1,http://e.org/a b,12.50\n2,http://\u{E4}.de/,1e40\n"]
        try withWorkplace { place throws in
            #expect(try place.load(files, mapping: Self.mapping).counts == ["A 2/0/0/0"])
            let bytes = try place.storeBytes()
            #expect(try place.load(files, mapping: Self.mapping).counts == ["A 0/0/2/0"])
            #expect(try place.storeBytes() == bytes)
        }
    }

    @Test func rejectsDecimalsThatFoundationCannotHold() throws {
        let files = ["A.csv": "id,u,d\n1,,1e200\n2,http://[bad,\n3,,1e-200\n4,,5\n"]
        try withWorkplace { place throws in
            let report = try place.load(files, mapping: Self.mapping)
            #expect(report.counts == ["A 1/0/0/3"])
            #expect(
                report.reasons == [
                    "A.csv:2 A 1: d should be decimal, not \"1e200\"",
                    "A.csv:3 A 2: u should be uri, not \"http://[bad\"",
                    "A.csv:4 A 3: d should be decimal, not \"1e-200\"",
                ])
        }
    }
}
