// SPDX-License-Identifier: Apache-2.0

import Schema

/// The model of the tests: tracks, a subentity, relationships of all kinds.
enum MusicModel {
    static func schema(isIndexed: Bool) throws -> Schema {
        var entities = [artist, album, media, track, single, tag]
        if !isIndexed {
            for index in entities.indices { entities[index].indexes = [] }
        }
        return try Schema(entities: entities)
    }

    /// The same objects with other indexes of media and tracks.
    static func schema(media own: [Index], track more: [Index]) throws -> Schema {
        var entities = [artist, album, media, track, single, tag]
        for position in entities.indices {
            switch entities[position].name {
            case "Media": entities[position].indexes = own
            case "Track", "Single": entities[position].indexes = own + more
            default: break
            }
        }
        return try Schema(entities: entities)
    }

    private static let artist = Entity(
        name: "Artist",
        attributes: [
            Attribute(name: "name", type: .string),
            Attribute(name: "founded", type: .integer32),
        ],
        relationships: [
            Relationship(
                name: "albums", destination: "Album", inverse: "artist", isToMany: true),
            Relationship(name: "home", destination: "Artist"),
        ],
        indexes: [Index(name: "byArtist", properties: ["name"])])

    private static let album = Entity(
        name: "Album",
        attributes: [
            Attribute(name: "title", type: .string),
            Attribute(name: "year", type: .integer16),
        ],
        relationships: [
            Relationship(name: "artist", destination: "Artist", inverse: "albums"),
            Relationship(name: "tracks", destination: "Track", inverse: "album", isToMany: true),
        ],
        indexes: [Index(name: "byTitle", properties: ["title"])])

    private static let mediaAttributes = [
        Attribute(name: "name", type: .string),
        Attribute(name: "serial", type: .integer64),
        Attribute(name: "added", type: .date),
    ]

    private static let mediaIndexes = [
        Index(name: "byName", properties: ["name"]),
        Index(name: "bySerial", properties: ["serial"], isUnique: true),
    ]

    private static let media = Entity(
        name: "Media", isAbstract: true, attributes: mediaAttributes, indexes: mediaIndexes)

    private static let trackAttributes =
        mediaAttributes + [
            Attribute(name: "length", type: .integer32),
            Attribute(name: "plays", type: .integer16),
            Attribute(name: "price", type: .double),
            Attribute(name: "weight", type: .float),
            Attribute(name: "isLive", type: .boolean),
            Attribute(name: "cost", type: .decimal),
            Attribute(name: "mark", type: .uuid),
            Attribute(name: "link", type: .uri),
            Attribute(name: "art", type: .binaryData),
            Attribute(name: "note", type: .string),
            Attribute(name: "shown", type: .string, isTransient: true),
        ]

    private static let trackRelationships = [
        Relationship(name: "album", destination: "Album", inverse: "tracks"),
        Relationship(name: "tags", destination: "Tag", inverse: "tracks", isToMany: true),
    ]

    private static let trackIndexes =
        mediaIndexes + [
            Index(name: "byLength", properties: ["length", "name"]),
            Index(name: "byPrice", properties: ["price"]),
            Index(name: "byAdded", properties: ["added"]),
            Index(name: "byMark", properties: ["mark"]),
            Index(name: "byLive", properties: ["isLive", "plays"]),
            Index(name: "byLink", properties: ["link"]),
            Index(name: "byWeight", properties: ["weight"]),
            Index(name: "byCost", properties: ["cost"]),
        ]

    private static let track = Entity(
        name: "Track", superentity: "Media", attributes: trackAttributes,
        relationships: trackRelationships, indexes: trackIndexes)

    private static let single = Entity(
        name: "Single", superentity: "Track",
        attributes: trackAttributes + [Attribute(name: "side", type: .string)],
        relationships: trackRelationships, indexes: trackIndexes)

    private static let tag = Entity(
        name: "Tag", attributes: [Attribute(name: "label", type: .string)],
        relationships: [
            Relationship(name: "tracks", destination: "Track", inverse: "tags", isToMany: true)
        ],
        indexes: [Index(name: "byLabel", properties: ["label"])])
}
