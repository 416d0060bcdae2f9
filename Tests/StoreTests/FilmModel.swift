// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// The model of most tests: films and persons, with an index and a constraint.
enum FilmModel {
    static let uuid = UUIDValue(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)

    /// The model of the samples in `FileFormat.md`.
    static func sample() throws -> Schema {
        try Schema(entities: [
            Entity(
                name: "Film",
                attributes: [
                    Attribute(name: "title", type: .string, isOptional: false),
                    Attribute(name: "year", type: .integer16, defaultValue: .integer16(1977)),
                ],
                relationships: [
                    Relationship(name: "director", destination: "Person", inverse: "films")
                ],
                indexes: [
                    Index(name: "byYear", properties: ["year", "title"]),
                    Index(name: "titles", properties: ["title"], isUnique: true),
                ]),
            Entity(
                name: "Person", attributes: [Attribute(name: "name", type: .string)],
                relationships: [
                    Relationship(
                        name: "films", destination: "Film", inverse: "director", isToMany: true,
                        deleteRule: .cascade)
                ]),
        ])
    }

    /// A richer film without a constraint.
    static func rich(
        indexes: [Index] = [
            Index(name: "byYear", properties: ["year", "title"]),
            Index(name: "byDirector", properties: ["director"]),
        ], storesPostersOutside: Bool = false
    ) throws -> Schema {
        try Schema(entities: [
            Entity(
                name: "Film",
                attributes: [
                    Attribute(name: "title", type: .string),
                    Attribute(name: "year", type: .integer16),
                    Attribute(name: "rating", type: .double),
                    Attribute(
                        name: "poster", type: .binaryData,
                        allowsExternalStorage: storesPostersOutside),
                ],
                relationships: [
                    Relationship(name: "director", destination: "Person", inverse: "films")
                ], indexes: indexes),
            Entity(
                name: "Person", attributes: [Attribute(name: "name", type: .string)],
                relationships: [
                    Relationship(
                        name: "films", destination: "Film", inverse: "director", isToMany: true)
                ]),
        ])
    }

    /// One entity with a uniqueness constraint over two attributes.
    static func tracks() throws -> Schema {
        try Schema(entities: [
            Entity(
                name: "Track",
                attributes: [
                    Attribute(name: "album", type: .string),
                    Attribute(name: "side", type: .integer16),
                ], indexes: [Index(name: "places", properties: ["album", "side"], isUnique: true)])
        ])
    }
}
