// SPDX-License-Identifier: Apache-2.0

import LibraryImport
import Schema
import Testing

@Suite struct MappedModelTests {
    @Test func overridesTheInferredModel() throws {
        let model = try model(
            ["m.json": ModelInferenceTests.music],
            mapping: """
                {"entities": {
                  "Artist": {"name": "Band"}, "MediaType": {"ignore": true},
                  "Track": {"ignore": ["MediaTypeId"], "attributes": {
                    "UnitPrice": {"type": "decimal", "name": "price", "optional": true},
                    "Bytes": {"type": "integer32", "indexed": true, "unique": true}}},
                  "Employee": {"ignore": ["Fax"], "relationships": {
                    "ReportsTo": {"destination": "Employee", "name": "manager",
                                  "inverse": "reports"}}},
                  "Customer": {"relationships": {
                    "SupportRepId": {"destination": "Employee", "optional": true}}},
                  "PlaylistTrack": {"manyToMany": {
                    "TrackId": {"property": "lists"},
                    "PlaylistId": {"destination": "Playlist", "property": "songs"}}}
                }}
                """)
        #expect(
            model.description == """
                7 tables, 10 rows

                Band  1 row
                  artistId  integer64  key
                  name      string
                  albums    ->> Album  inverse artist

                Album  1 row
                  albumId  integer64  key
                  title    string
                  artist   -> Band    inverse albums
                  tracks   ->> Track  inverse album

                Track  2 rows
                  trackId  integer64     key
                  name     string
                  price    decimal       optional
                  bytes    integer32     unique indexed
                  album    -> Album      optional, inverse tracks
                  lists    ->> Playlist  inverse songs

                Employee  2 rows
                  employeeId  integer64     key
                  birthDate   date
                  manager     -> Employee   optional, inverse reports
                  reports     ->> Employee  inverse manager
                  customers   ->> Customer  inverse supportRep

                Customer  1 row
                  customerId  integer64    key
                  supportRep  -> Employee  optional, inverse customers

                Playlist  1 row
                  playlistId  integer64  key
                  songs       ->> Track  inverse lists

                many-to-many
                  PlaylistTrack  Track.lists <-> Playlist.songs  2 links
                """)
    }

    @Test func namesTheInverseOfASelfReference() throws {
        let model = try model(
            ["m.json": ModelInferenceTests.music],
            mapping:
                """
                {"entities": {"Employee": {"relationships": {"ReportsTo": {
                  "destination": "Employee"}}}}}
                """
        )
        let reports = model.entity(named: "Employee")?.toOne.first
        #expect(reports?.name == "reportsTo")
        #expect(reports?.inverseName == "employees")
    }

    @Test func keepsColumnsAsAttributes() throws {
        let model = try model(
            ["m.json": #"{"A": [{"AId": 1}], "B": [{"AId": 1, "x": 1}]}"#],
            mapping: #"{"entities": {"B": {"attributes": {"AId": {}}}}}"#)
        #expect(model.entities[1].attributes.map(\.name) == ["aId", "x"])
        #expect(model.entities[1].toOne == [])
    }

    @Test func keepsATableOfReferencesAsAnEntity() throws {
        let text = #"{"A": [{"AId": 1}], "B": [{"BId": 1}], "AB": [{"AId": 1, "BId": 1}]}"#
        let model = try model(
            ["m.json": text], mapping: #"{"entities": {"AB": {"manyToMany": false}}}"#)
        #expect(model.manyToMany == [])
        #expect(model.entities[2].toOne.map(\.name) == ["a", "b"])
    }

    @Test func linksAnEntityWithItself() throws {
        let model = try model(
            ["m.json": #"{"User": [{"id": 1}], "Follow": [{"FollowerId": 1, "FolloweeId": 1}]}"#],
            mapping: """
                {"entities": {"Follow": {"manyToMany": {"FollowerId": {"destination": "User"},
                                                        "FolloweeId": {"destination": "User"}}}}}
                """)
        #expect(model.manyToMany[0].first == InferredLinkEnd(entity: "User", property: "followees"))
        #expect(
            model.manyToMany[0].second == InferredLinkEnd(entity: "User", property: "followers"))
    }

    @Test func mapsArraysOfKeys() throws {
        let model = try model(
            ["m.json": #"{"Person": [{"id": 1}], "Ship": [{"id": 1, "pilots": [1]}]}"#],
            mapping: """
                {"entities": {"Ship": {"relationships": {"pilots": {
                  "destination": "Person", "inverse": "flies"}}}}}
                """)
        #expect(model.manyToMany.map(\.origin) == [.column(sourceName: "pilots")])
        #expect(model.toMany(of: "Person").map(\.name) == ["flies"])
        #expect(model.toMany(of: "Ship").map(\.name) == ["pilots"])
    }

    @Test(arguments: [
        (#"{"Z": {}}"#, "entities.Z: the data has no such entity; it has A, B"),
        (#"{"A": {"key": "z"}}"#, "entities.A.key: A has no column 'z'; it has AId, n"),
        (
            #"{"A": {"key": "n", "ignore": ["n"]}}"#,
            "entities.A.key: column 'n' is ignored or empty; choose another key"
        ),
        (#"{"A": {"ignore": ["z"]}}"#, "entities.A.ignore: A has no column 'z'; it has AId, n"),
        (
            #"{"A": {"attributes": {"z": {}}}}"#,
            "entities.A.attributes: A has no column 'z'; it has AId, n"
        ),
        (
            #"{"A": {"relationships": {"z": {}}}}"#,
            "entities.A.relationships: A has no column 'z'; it has AId, n"
        ),
        (
            #"{"A": {"attributes": {"n": {}}, "relationships": {"n": {}}}}"#,
            "entities.A.relationships.n: the column is an attribute as well; remove one entry"
        ),
        (
            #"{"A": {"relationships": {"AId": {"destination": "B"}}, "key": "AId"}}"#,
            "entities.A.relationships.AId: the column is the entity's key and cannot be a "
                + "relationship"
        ),
        (
            #"{"A": {"relationships": {"n": {}}}}"#,
            "entities.A.relationships.n: the column's name does not tell the "
                + "\"destination\"; add it"
        ),
        (
            #"{"A": {"relationships": {"n": {"destination": "Q"}}}}"#,
            "entities.A.relationships.n.destination: there is no entity 'Q'; there are A, B"
        ),
        (
            #"{"A": {"relationships": {"n": {"destination": "B"}}}}"#,
            "entities.A.relationships.n.destination: 'B' has no key to refer to; name its \"key\""
        ),
        (
            #"{"B": {"relationships": {"t": {"destination": "A"}}}}"#,
            "entities.B.relationships.t: the column's values are no keys of A, whose key "
                + "is integer64"
        ),
        (
            #"{"A": {"attributes": {"n": {"name": "x"}, "AId": {"name": "x"}}}}"#,
            "entities.A.attributes.n.name: A already has a property 'x'"
        ),
        (
            #"{"B": {"manyToMany": {"t": {}, "q": {}}}}"#,
            "entities.B.manyToMany.t: the column's name does not tell the \"destination\"; add it"
        ),
        (
            #"{"B": {"manyToMany": {"t": {"destination": "A"}, "q": {}}}}"#,
            "entities.B.manyToMany.t: the column's values are no keys of A"
        ),
    ])
    func refusesMappingsThatDoNotFit(entities: String, expected: String) throws {
        let data = #"{"A": [{"AId": 1, "n": 2}], "B": [{"t": "x", "q": "y"}]}"#
        let error = try planError(["m.json": data], mapping: "{\"entities\": \(entities)}")
        #expect(error?.description == "mapping: " + expected)
        #expect(error?.code == .badMapping)
    }
}
