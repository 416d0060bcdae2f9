// SPDX-License-Identifier: Apache-2.0

import LibraryImport
import Schema
import Testing

@Suite struct ModelInferenceTests {
    static let music = """
        {
          "Artist": [{"ArtistId": 1, "Name": "AC/DC"}],
          "MediaType": [{"MediaTypeId": 1, "Name": "MPEG"}],
          "Album": [{"AlbumId": 1, "Title": "Back", "ArtistId": 1}],
          "Track": [
            {"TrackId": 1, "Name": "A", "AlbumId": 1, "MediaTypeId": 1, "UnitPrice": 0.99, \
            "Bytes": 7},
            {"TrackId": 2, "Name": "B", "AlbumId": null, "MediaTypeId": 1, "UnitPrice": 1, \
            "Bytes": 8}
          ],
          "Employee": [
            {"EmployeeId": 1, "ReportsTo": null, "BirthDate": "1962-02-18T00:00:00", "Fax": "1"},
            {"EmployeeId": 2, "ReportsTo": 1, "BirthDate": "1958-12-08T00:00:00", "Fax": "2"}
          ],
          "Customer": [{"CustomerId": 1, "SupportRepId": 2}],
          "Playlist": [{"PlaylistId": 1}],
          "PlaylistTrack": [{"PlaylistId": 1, "TrackId": 1}, {"PlaylistId": 1, "TrackId": 2}]
        }
        """

    @Test func infersALibrary() throws {
        #expect(
            try model(["m.json": Self.music]).description == """
                8 tables, 11 rows

                Artist  1 row
                  artistId  integer64  key
                  name      string
                  albums    ->> Album  inverse artist

                MediaType  1 row
                  mediaTypeId  integer64  key
                  name         string
                  tracks       ->> Track  inverse mediaType

                Album  1 row
                  albumId  integer64  key
                  title    string
                  artist   -> Artist  inverse albums
                  tracks   ->> Track  inverse album

                Track  2 rows
                  trackId    integer64     key
                  name       string
                  unitPrice  double
                  bytes      integer64
                  album      -> Album      optional, inverse tracks
                  mediaType  -> MediaType  inverse tracks
                  playlists  ->> Playlist  inverse tracks

                Employee  2 rows
                  employeeId  integer64  key
                  reportsTo   integer64  optional
                  birthDate   date
                  fax         string

                Customer  1 row
                  customerId    integer64  key
                  supportRepId  integer64

                Playlist  1 row
                  playlistId  integer64  key
                  tracks      ->> Track  inverse playlists

                many-to-many
                  PlaylistTrack  Playlist.tracks <-> Track.playlists  2 links

                notes
                  Customer.SupportRepId looks like a reference, \
                but no entity has that key; map its \
                destination under "relationships"
                """)
    }

    @Test func infersTheSameOfCSVFiles() throws {
        let model = try model([
            "albums.csv": "album_id,title,artist_id,released,live\n1,Back,2,1980-07-25,true\n",
            "artists.csv": "artist_id,name,phone,code,rate\n2,AC/DC,+61 2,007,1\n3,,,,2.5\n",
            "readme.txt": "not data",
        ])
        #expect(
            model.description == """
                2 tables, 3 rows

                Albums  1 row
                  albumId   integer64   key
                  title     string
                  released  date
                  live      boolean
                  artist    -> Artists  inverse albums

                Artists  2 rows
                  artistId  integer64   key
                  name      string      optional
                  phone     string      optional
                  code      string      optional
                  rate      double
                  albums    ->> Albums  inverse artist
                """)
    }

    @Test(
        arguments: [
            ("[1,2]", .integer64), ("[1,2.5]", .double), ("[1.0,2.5]", .double),
            ("[1,9223372036854775808]", .decimal), ("[0.5,9223372036854775808]", .decimal),
            ("[true,false]", .boolean), ("[true,1]", .string), ("[\"a\",1]", .string),
            ("[\"2001-01-01\",\"2002-01-01T00:00Z\"]", .date),
            ("[\"2001-01-01\",\"soon\"]", .string),
            ("[\"2001-01-01\",\"\"]", .string), ("[\"1\",\"2\"]", .string),
            ("[null,null]", .string),
            (
                "[\"550e8400-e29b-41d4-a716-446655440000\"]",
                .uuid
            ),
            ("[[1],[2]]", .string), ("[{},{}]", .string),
        ] as [(String, AttributeType)])
    func choosesTypes(values: String, type: AttributeType) throws {
        // Each value is a row's only column.
        let rows = try rowsOfValues(values)
        #expect(try model(["R.json": rows]).entities[0].attributes[0].type == type)
    }

    private func rowsOfValues(_ list: String) throws -> String {
        let read = try rows(.json, "[{\"v\":\(list)}]")[0].fields[0].dropFirst("v=j:".count)
        var parts: [String] = []
        var depth = 0
        for character in read.dropFirst().dropLast() {
            if "[{".contains(character) { depth += 1 }
            if "]}".contains(character) { depth -= 1 }
            if parts.isEmpty || character == "," && depth == 0 { parts.append("") }
            if character != "," || depth > 0 { parts[parts.count - 1].append(character) }
        }
        return "[" + parts.map { "{\"v\":\($0)}" }.joined(separator: ",") + "]"
    }

    @Test func makesColumnsThatRowsLackOptional() throws {
        let attributes = try model(["R.json": #"[{"a":1,"b":1},{"a":2},{"a":3,"b":null,"c":1}]"#])
            .entities[0].attributes
        #expect(attributes.map(\.name) == ["a", "b", "c"])
        #expect(attributes.map(\.isOptional) == [false, true, true])
    }

    @Test func choosesKeys() throws {
        func key(_ text: String, _ name: String = "Row") throws -> InferredAttribute? {
            try model([name + ".json": text]).entities[0].key
        }
        #expect(try key(#"[{"RowId":1,"id":1}]"#)?.sourceName == "RowId")
        #expect(try key(#"[{"pk":1,"id":1}]"#)?.sourceName == "id")
        #expect(try key(#"[{"pk":"x"}]"#)?.type == .string)
        #expect(try key(#"[{"row_id":1},{"row_id":1},{"row_id":1}]"#) == nil)
        #expect(try key(#"[{"row_id":null},{"row_id":1}]"#) == nil)
        #expect(try key(#"[{"id":[1]}]"#) == nil)
        // Most rows are good, so the others are rejected and the key stays.
        let mostly = try key(
            #"[{"id":1},{"id":2},{"id":3},{"id":3},{"id":null},{"id":"x"},{"id":4}]"#)
        #expect(mostly?.type == .integer64)
        #expect(mostly?.isOptional == false)
        #expect(mostly?.isUnique == true)
        #expect(mostly?.isIndexed == true)
        // A padded one tells that keys are texts, in which 7 and 007 are two.
        #expect(try model(["B.csv": "id\n007\n8\n9\n7\n"]).entities[0].key?.type == .string)
        #expect(try key(#"[{"id":8},{"id":9},{"id":6},{"id":""},{"id":"0x"}]"#)?.type == .integer64)
    }

    @Test func countsKeysBeyondTheTrackersMemory() {
        var tracker = KeyTracker()
        for number in 0...Int64(KeyTracker.limit) { tracker.add(.integer(number), in: []) }
        tracker.add(.integer(5), in: [])
        #expect(tracker.isUnique)
    }

    @Test func findsReferencesByAnySpelling() throws {
        let model = try model([
            "A.json": """
            {"book": [{"ISBN": "x", "book_id": 1}],
             "Loan": [{"bookid": 1}], "Sale": [{"BookID": 1, "n": 1}],
             "Note": [{"BookId": "not a key", "n": 1}]}
            """
        ])
        #expect(model.entities.map { $0.toOne.map(\.name) } == [[], ["book"], ["book"], []])
        #expect(model.toMany(of: "Book").map(\.name) == ["loans", "sales"])
    }

    @Test func findsReferencesNamedLikeAMappedKey() throws {
        let model = try model(
            ["A.json": #"{"Book": [{"ISBN": "x"}], "Loan": [{"isbn": "x", "n": 1}]}"#],
            mapping: #"{"entities": {"Book": {"key": "ISBN"}}}"#)
        #expect(model.entities[1].toOne.map(\.name) == ["book"])
        #expect(model.entities[1].toOne.map(\.inverseName) == ["loans"])
    }

    @Test func resolvesNameCollisions() throws {
        let model = try model(
            [
                "A.json": """
                {"Team": [{"TeamId": 1, "Games": 3, "name": "A", "hash": 1}],
                 "Game": [{"GameId": 1, "TeamId": 1, "HomeId": 1, "AwayId": 1, "team": "T"}]}
                """
            ],
            mapping: """
                {"entities": {"Game": {"relationships": {
                  "HomeId": {"destination": "Team"}, "AwayId": {"destination": "Team"}}}}}
                """)
        #expect(
            model.entities[0].attributes.map(\.name) == ["teamId", "games", "name", "teamHash"])
        #expect(model.entities[1].toOne.map(\.name) == ["team2", "home", "away"])
        #expect(
            model.toMany(of: "Team").map(\.name)
                == ["gamesAsTeam2", "gamesAsHome", "gamesAsAway"])
    }

    @Test func keepsThePlainInverseForTheReferenceNamedAfterTheEntity() throws {
        let model = try model(
            ["A.json": #"{"Team": [{"TeamId": 1}], "Game": [{"TeamId": 1, "GuestId": 1}]}"#],
            mapping:
                #"{"entities": {"Game": {"relationships": {"GuestId": {"destination": "Team"}}}}}"#)
        #expect(model.toMany(of: "Team").map(\.name) == ["games", "gamesAsGuest"])
        #expect(model.manyToMany == [])
    }

    @Test func findsArraysOfKeys() throws {
        let model = try model([
            "film.json": """
            [{"fields": {"starships": [2, 3], "species": [], "pilots": [1]}, "pk": 1,
              "model": "res.film"}]
            """,
            "starship.json": #"[{"pk": 2, "model": "res.starship", "fields": {}}]"#,
            "tags.json": #"[{"id": "a"}]"#, "post.json": #"[{"tags": ["a"], "tag": [1]}]"#,
        ])
        #expect(
            model.manyToMany.map(\.description) == [
                "Film.starships <-> Starship.films", "Post.tags <-> Tags.posts",
            ])
        #expect(
            model.notes == [
                "Film.pilots has arrays, kept as JSON text; if they hold keys, map their "
                    + "destination "
                    + "under \"relationships\"",
                "Post.tag has arrays, kept as JSON text; if they hold keys, map their destination "
                    + "under \"relationships\"",
            ])
    }

    @Test func notesMixedColumns() throws {
        let notes = try model(["R.json": "[{\"v\":1},{\"v\":2},\n{\"v\":\"?\"},{\"v\":3}]"]).notes
        #expect(
            notes == [
                "R.v is mostly whole number but has text (first on line 2), so it is a string; "
                    + "map its type to reject such rows"
            ])
    }

    @Test func leavesOutEntitiesWithoutColumns() throws {
        let model = try model(["A.json": #"{"A": [], "B": [{"x": 1}], "C": [1]}"#])
        #expect(model.entities.map(\.name) == ["B"])
        #expect(model.tableCount == 1)
        #expect(
            model.notes == ["A has no values and is left out", "C has no values and is left out"])
    }

    @Test func joinsRowsOfOneEntityFromManySources() throws {
        let model = try model([
            "a.json": #"{"A": [{"x": 1}], "B": [{"y": 1}], "A": [{"z": 2}]}"#,
            "b.json": #"{"A": [{"x": 2.5}]}"#,
        ])
        #expect(model.entities.map(\.rowCount) == [3, 1])
        #expect(model.entities[0].attributes.map(\.type) == [.double, .integer64])
        #expect(model.entities[0].attributes.map(\.isOptional) == [true, true])
    }

    @Test func refusesAmbiguousModels() throws {
        #expect(
            try planError(["A.json": #"{"film": [{"x": 1}], "Film": [{"x": 1}]}"#])?.message
                == "'film' and 'Film' would both be entity Film; give one another \"name\" in a "
                + "mapping file")
        let error = try planError([
            "A.json": #"{"Film": [{"id": 1}], "Films": [{"id": 1}], "X": [{"film_id": 1}]}"#
        ])
        #expect(error?.code == .ambiguousModel)
        #expect(
            error?.message == "X.film_id may refer to Film or Films; choose in a mapping file, "
                + "under \"relationships\"")
    }
}

extension InferredManyToMany {
    fileprivate var description: String {
        "\(first.entity).\(first.property) <-> \(second.entity).\(second.property)"
    }
}
