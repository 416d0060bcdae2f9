// SPDX-License-Identifier: Apache-2.0

/// What a mapping file says: choices that override the inferred model.
///
/// The file is one JSON object. Entities and columns go by their names in the data; everything is
/// optional, and a name that the data does not have is an error.
///
/// ```
/// mapping      = { "entities": { <source entity>: entity, … } }
/// entity       = { "name":          <entity name>,
///                  "key":           <column>,
///                  "ignore":        true | [ <column>, … ],
///                  "attributes":    { <column>: attribute, … },
///                  "relationships": { <column>: relationship, … },
///                  "manyToMany":    false | { <column>: end, <column>: end } }
/// attribute    = { "name": <property>, "type": type, "optional": bool,
///                  "unique": bool, "indexed": bool }
/// type         = "integer16" | "integer32" | "integer64" | "decimal" | "double" | "float" |
///                "string" | "boolean" | "date" | "uuid" | "uri" | "binaryData"
/// relationship = { "destination": <source entity>, "name": <property>,
///                  "inverse": <property>, "optional": bool }
/// end          = { "destination": <source entity>, "property": <property> }
/// ```
///
/// - `key` names the column that identifies a row and that references hold.
/// - `ignore: true` leaves the entity out; a list leaves columns out.
/// - An entry in `attributes` also keeps a column from becoming a relationship.
/// - An entry in `relationships` makes a column a to-one relationship, or a to-many one when its
///   values are JSON arrays of keys. `destination` may be missing if the column's name implies it.
/// - `manyToMany` makes the entity a table of links between its two columns. `property` is the
///   property of the *destination* that leads to the other end:
///   `"PlaylistTrack": {"manyToMany": {"PlaylistId": {"destination": "Playlist", "property":
///   "tracks"}, "TrackId": {"destination": "Track", "property": "playlists"}}}`.
///   `false` keeps a table of two foreign keys as an entity.
/// - `binaryData` is read from Base64 text.
public struct ImportMapping: Sendable, Hashable {
    /// The path that errors name.
    public var file: String
    /// The entities by their names in the data.
    public var entities: [String: EntityMapping]

    /// Makes a mapping in code.
    public init(file: String = "mapping", entities: [String: EntityMapping] = [:]) {
        self.file = file
        self.entities = entities
    }
}
