// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Testing

/// One golden text for each rule of the planner.
@Suite struct PlanTextTests {
    private let library: TestLibrary

    init() throws {
        library = try TestLibrary()
        library.add("Album", ["title": .string("Back in Black")])
    }

    private func text(
        _ entity: String, _ format: String? = nil, _ arguments: [Argument] = [],
        sort: [SortOrder] = [], limit: Int = 0, offset: Int = 0, subentities: Bool = true
    ) throws -> String {
        try library.plan(
            entity, format, arguments, sort: sort, limit: limit, offset: offset,
            subentities: subentities
        ).description
    }

    private var album: Argument {
        .operand(.value(.objectID(library.objects[0].key)))
    }

    @Test func scan() throws {
        #expect(try text("Tag") == "fetch Tag\n  scan Tag (entity scan)")
        #expect(try text("Media") == "fetch Media\n  scan Single, Track (entity scan)")
        #expect(
            try text("Track", subentities: false)
                == "fetch Track without subentities\n  scan Track (entity scan)")
    }

    @Test func residualFilterSortAndLimit() throws {
        #expect(
            try text(
                "Track", "note CONTAINS[cd] 'live'",
                sort: [
                    SortOrder(keyPath: ["album", "title"]),
                    SortOrder(
                        keyPath: ["name"], isAscending: false, collation: .caseInsensitive),
                ], limit: 10, offset: 5) == """
                    fetch Track where note CONTAINS[cd] "live"
                      scan Single, Track (entity scan)
                      filter note CONTAINS[cd] "live"
                      sort by album.title ascending, name caseInsensitive descending \
                    (in memory, best 15)
                      limit 10 offset 5
                    """)
    }

    /// The end of the last row wanted, up to the most rows that a store can have.
    @Test func greatLimits() throws {
        let most = 1 << 56
        for (limit, offset, best) in [
            (most, 0, most), (most - 1, 1, most), (most - 1, 0, most - 1),
            (most, 1, nil), (most + 1, 0, nil), (most, Int.max, nil),
        ] {
            let sort = [SortOrder(keyPath: ["album", "title"])]
            let text = try text(
                "Track", "note CONTAINS 'live'", sort: sort, limit: limit, offset: offset)
            #expect(text.contains("best \(best ?? 0)") == (best != nil), "\(text)")
            #expect(text.contains("limit") == (limit <= most), "\(text)")
        }
    }

    @Test func indexEquality() throws {
        #expect(
            try text("Track", "name == 'Hells Bells'") == """
                fetch Track where name == "Hells Bells"
                  index range byName: name == "Hells Bells"
                """)
    }

    @Test func uniqueEqualityWins() throws {
        #expect(
            try text("Track", "name == 'a' AND serial == 7 AND plays > 3") == """
                fetch Track where name == "a" AND serial == 7 AND plays > 3
                  index range bySerial: serial == 7
                  filter name == "a" AND plays > 3
                """)
    }

    @Test func rangeOfTwoComparisons() throws {
        #expect(
            try text("Track", "name >= 'a' AND name < 'b'") == """
                fetch Track where name >= "a" AND name < "b"
                  index range byName: name >= "a" and name < "b"
                """)
    }

    @Test func listBetweenAndPrefix() throws {
        #expect(
            try text("Track", "name IN {'a', 'b'}") == """
                fetch Track where name IN {"a", "b"}
                  index range byName: name IN {"a", "b"} (2 ranges)
                """)
        #expect(
            try text("Track", "price BETWEEN {1, 2.5}") == """
                fetch Track where price BETWEEN {1, 2.5}
                  index range byPrice: price BETWEEN {1, 2.5}
                """)
        #expect(
            try text("Track", "name BEGINSWITH 'Hell'") == """
                fetch Track where name BEGINSWITH "Hell"
                  index range byName: name BEGINSWITH "Hell"
                """)
        #expect(
            try text("Track", "name LIKE 'He?l*'") == """
                fetch Track where name LIKE "He?l*"
                  index range byName: name LIKE "He?l*"
                  filter name LIKE "He?l*"
                """)
    }

    @Test func foldedTextIsScanned() throws {
        #expect(
            try text("Track", "name BEGINSWITH[c] 'hell'") == """
                fetch Track where name BEGINSWITH[c] "hell"
                  scan Single, Track (entity scan)
                  filter name BEGINSWITH[c] "hell"
                """)
    }

    @Test func compoundIndexWithPrefixOfEqualities() throws {
        #expect(
            try text("Track", "length == 200 AND name > 'm'") == """
                fetch Track where length == 200 AND name > "m"
                  index range byLength: length == 200 and name > "m"
                """)
    }

    @Test func numbersConvertExactly() throws {
        #expect(
            try text("Track", "length == 200.0") == """
                fetch Track where length == 200.0
                  index range byLength: length == 200.0
                """)
        #expect(
            try text("Track", "length == 200.5") == """
                fetch Track where length == 200.5
                  nothing (the predicate is never true)
                """)
    }

    @Test func objectIDs() throws {
        #expect(
            try text("Album", "SELF == %@", [album]) == """
                fetch Album where SELF == \(library.objects[0].key.predicateText)
                  object IDs (1)
                """)
        #expect(
            try text("Album", "objectID IN {}") == """
                fetch Album where objectID IN {}
                  nothing (the predicate is never true)
                """)
    }

    @Test func walks() throws {
        let key = library.objects[0].key.predicateText
        #expect(
            try text("Track", "album == %@ AND plays > 1", [album]) == """
                fetch Track where album == \(key) AND plays > 1
                  relationship walk: tracks of 1 Album
                  filter plays > 1
                """)
        #expect(
            try text("Track", "album.title == 'Back in Black'") == """
                fetch Track where album.title == "Back in Black"
                  relationship walk: tracks of Album
                    index range byTitle: title == "Back in Black"
                """)
        #expect(
            try text("Track", "album.artist.name == 'AC/DC'") == """
                fetch Track where album.artist.name == "AC/DC"
                  relationship walk: tracks of Album
                    relationship walk: albums of Artist
                      index range byArtist: name == "AC/DC"
                """)
        #expect(
            try text("Album", "ANY tracks.name == 'Shoot to Thrill'") == """
                fetch Album where ANY tracks.name == "Shoot to Thrill"
                  relationship walk: album of Track
                    index range byName: name == "Shoot to Thrill"
                """)
        #expect(
            try text("Track", "album.title == nil") == """
                fetch Track where album.title == nil
                  scan Single, Track (entity scan)
                  filter album.title == nil
                """)
    }

    @Test func walksFromMembers() throws {
        #expect(
            try text("Track", "SUBQUERY(tags, $t, $t.label == 'x').@count > 0") == """
                fetch Track where SUBQUERY(tags, $t, $t.label == "x").@count > 0
                  relationship walk: tracks of Tag
                    index range byLabel: label == "x"
                """)
        // What no index answers, and how many there are, is asked of those that are found.
        let counted = "SUBQUERY(tracks, $t, $t.name == \"x\" AND $t.plays > 1).@count != 0"
        #expect(
            try text("Album", counted) == """
                fetch Album where \(counted)
                  relationship walk: album of Track
                    index range byName: name == "x"
                  filter \(counted)
                """)
        #expect(
            try text("Track", "1 < SUBQUERY(album.tracks, $t, $t.name == 'x').@count") == """
                fetch Track where 1 < SUBQUERY(album.tracks, $t, $t.name == "x").@count
                  relationship walk: tracks of Album
                    relationship walk: album of Track
                      index range byName: name == "x"
                  filter SUBQUERY(album.tracks, $t, $t.name == "x").@count > 1
                """)
    }

    @Test(arguments: [
        "SUBQUERY(tags, $t, $t.label == 'x').@count == 0",
        "SUBQUERY(tags, $t, $t.label == name).@count > 0",
        "SUBQUERY(tags, $t, $t.label == SELF.name).@count > 0",
        "SUBQUERY(album.artist.albums, $a, $a.title == note).@count > 0",
    ])
    func scansForMembers(format: String) throws {
        #expect(try text("Track", format).contains("\n  scan Single, Track (entity scan)\n"))
    }

    @Test func union() throws {
        #expect(
            try text("Track", "name == 'a' OR (price < 2 AND plays == 1)") == """
                fetch Track where name == "a" OR (price < 2 AND plays == 1)
                  union
                    index range byName: name == "a"
                    index range byPrice: price < 2
                  filter name == "a" OR (price < 2 AND plays == 1)
                """)
        #expect(
            try text("Track", "name == 'a' OR price < 2") == """
                fetch Track where name == "a" OR price < 2
                  union
                    index range byName: name == "a"
                    index range byPrice: price < 2
                """)
        #expect(
            try text("Track", "name == 'a' OR note == 'b'") == """
                fetch Track where name == "a" OR note == "b"
                  scan Single, Track (entity scan)
                  filter name == "a" OR note == "b"
                """)
    }

    @Test func orderFromIndex() throws {
        let byName = [SortOrder(keyPath: ["name"], isAscending: false)]
        #expect(
            try text("Track", sort: byName) == """
                fetch Track
                  index byName (whole)
                  order from index, backwards
                """)
        #expect(
            try text("Track", "name < 'm'", sort: byName, limit: 3) == """
                fetch Track where name < "m"
                  index range byName: name < "m"
                  order from index, backwards
                  limit 3 offset 0
                """)
        #expect(
            try text("Track", "length == 3", sort: [SortOrder(keyPath: ["name"])]) == """
                fetch Track where length == 3
                  index range byLength: length == 3
                  order from index
                """)
        #expect(
            try text("Track", "plays > 3", sort: byName) == """
                fetch Track where plays > 3
                  scan Single, Track (entity scan)
                  filter plays > 3
                  sort by name descending (in memory)
                """)
        #expect(
            try text("Track", "price == 3", sort: byName) == """
                fetch Track where price == 3
                  index range byPrice: price == 3
                  sort by name descending (in memory)
                """)
    }

    @Test func orderFromSeveralRangesOfAnIndex() throws {
        let orders = [SortOrder(keyPath: ["length"]), SortOrder(keyPath: ["name"])]
        #expect(
            try text("Track", "length IN {200, 100}", sort: orders, limit: 3) == """
                fetch Track where length IN {200, 100}
                  index range byLength: length IN {200, 100} (2 ranges)
                  order from index
                  limit 3 offset 0
                """)
        #expect(
            try text("Track", "length IN {2, 1} AND name > 'b'", sort: orders) == """
                fetch Track where length IN {2, 1} AND name > "b"
                  index range byLength: length IN {2, 1} and name > "b" (2 ranges)
                  order from index
                """)
        let reversed = orders.map { SortOrder(keyPath: $0.keyPath, isAscending: false) }
        #expect(
            try text("Track", "length == 2 OR length == 1", sort: reversed) == """
                fetch Track where length == 2 OR length == 1
                  index range byLength: length IN {2, 1} (2 ranges)
                  order from index, backwards
                """)
        // Of each length the names come in order, but not of all.
        #expect(
            try text("Track", "length IN {2, 1}", sort: [SortOrder(keyPath: ["name"])]) == """
                fetch Track where length IN {2, 1}
                  index range byLength: length IN {2, 1} (2 ranges)
                  sort by name ascending (in memory)
                """)
        #expect(
            try text("Track", "length == 1 AND name IN {'b', 'a'}", sort: orders) == """
                fetch Track where length == 1 AND name IN {"b", "a"}
                  index range byLength: length == 1 and name IN {"b", "a"} (2 ranges)
                  order from index
                """)
    }

    @Test func constants() throws {
        #expect(
            try text("Tag", "TRUEPREDICATE") == "fetch Tag where TRUEPREDICATE\n  "
                + "scan Tag (entity scan)")
        #expect(
            try text("Tag", "FALSEPREDICATE") == "fetch Tag where FALSEPREDICATE\n  "
                + "nothing (the predicate is never true)")
    }
}

extension ObjectKey {
    fileprivate var predicateText: String { Value.objectID(self).predicateLiteral }
}
