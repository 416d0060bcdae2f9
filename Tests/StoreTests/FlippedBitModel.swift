// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing
import _TestSupport

@testable import Store

/// A small store with something of everything: ordered, mutual and one-way relationships, indexes,
/// large values, components, metadata and a history.
enum FlippedBitModel {
    static func make() throws -> Schema {
        try Schema(entities: [
            Entity(
                name: "Album",
                attributes: [
                    Attribute(name: "title", type: .string),
                    Attribute(name: "cover", type: .binaryData),
                ],
                relationships: [
                    Relationship(
                        name: "tracks", destination: "Track", inverse: "album", isToMany: true,
                        isOrdered: true),
                    Relationship(
                        name: "artists", destination: "Artist", inverse: "albums", isToMany: true),
                ]),
            Entity(
                name: "Artist", attributes: [Attribute(name: "name", type: .string)],
                relationships: [
                    Relationship(
                        name: "albums", destination: "Album", inverse: "artists", isToMany: true),
                    Relationship(name: "favourites", destination: "Track", isToMany: true),
                ],
                indexes: [Index(name: "names", properties: ["name"], isUnique: true)]),
            Entity(
                name: "Track",
                attributes: [
                    Attribute(name: "name", type: .string),
                    Attribute(name: "seconds", type: .integer32),
                ],
                relationships: [
                    Relationship(name: "album", destination: "Album", inverse: "tracks")
                ],
                indexes: [Index(name: "byLength", properties: ["seconds", "name"])]),
        ])
    }

    static func key(_ entity: UInt16, _ row: Int) -> ObjectKey {
        ObjectKey(entity: EntityNumber(rawValue: entity), row: UInt64(row))
    }

    /// Writes the store and closes it.
    static func fill(_ path: String, _ options: StoreOptions) throws {
        let store = try openStore(path, make(), options)
        let albums = try store.table("Album")
        let artists = try store.table("Artist")
        let tracks = try #require(albums.relationship(named: "tracks"))
        let makers = try #require(albums.relationship(named: "artists"))
        let works = try #require(artists.relationship(named: "albums"))
        let favourites = try #require(artists.relationship(named: "favourites"))
        for album in 1...6 {
            try store.write { save in
                let cover = [UInt8](repeating: UInt8(album), count: album == 3 ? 66_000 : 1_400)
                try save.insert(
                    "Album",
                    ["title": .string("Album \(album)"), "cover": .binaryData(cover)])
                if album < 5 {
                    try save.insert("Artist", ["name": .string("Artist \(album)")])
                }
                for number in 1...5 {
                    let track = try save.insert(
                        "Track",
                        [
                            "name": .string("Track \(album).\(number)"),
                            "seconds": .integer32(Int32(100 + 17 * album * number % 90)),
                            "album": .objectID(key(1, album)),
                        ])
                    save.link(key(1, album), to: track, tracks)
                    save.link(key(2, 1 + album % 4), to: track, favourites)
                    try save.putComponent(
                        data: track,
                        owner: ComponentOwner(
                            component: key(1, album), gameObject: key(2, 1 + number % 4)))
                }
                for artist in 1...2 {
                    save.link(key(1, album), to: key(2, artist), makers)
                    save.link(key(2, artist), to: key(1, album), works)
                }
                try save.setMetadata([1, 2, 3, UInt8(album)], for: "colour \(album % 3)")
            }
        }
        try store.write { try $0.update(key(3, 7), ["seconds": .integer32(1)]) }
    }

    /// All that a program can learn of a store.
    static func contents(_ store: Store) throws -> [String] {
        let snapshot = try store.makeSnapshot()
        var lines: [String] = []
        for table in store.tables {
            let name = table.entity.name
            let objects = try snapshot.objects(name)
            for (object, values) in objects.sorted(by: { $0.key < $1.key }) {
                lines.append("\(object) " + values.map { "\($0): \($1)" }.sorted().joined())
                for relationship in table.relationships where relationship.isLinked {
                    let others = try snapshot.destinations(of: object, relationship)
                    lines.append("\(object).\(relationship.relationship.name) \(Array(others))")
                }
                if name == "Track" {
                    lines.append("\(try snapshot.owner(ofData: object).debugDescription)")
                }
                let data = try snapshot.components(
                    of: object, type: EntityNumber(rawValue: 3))
                lines.append("\(object) has \(Array(data))")
            }
            for index in table.indexes.indices {
                lines.append("\(name) \(index): \(try snapshot.scan(name, index))")
            }
        }
        let owners = try snapshot.gameObjects(withType: EntityNumber(rawValue: 3))
        lines.append("\(Array(owners))")
        for colour in 0..<3 { lines.append("\(try store.metadata(for: "colour \(colour)") ?? [])") }
        return try lines + store.history()
    }
}
