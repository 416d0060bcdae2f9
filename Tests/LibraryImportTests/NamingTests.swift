// SPDX-License-Identifier: Apache-2.0

import LibraryImport
import Testing

@Suite struct NamingTests {
    @Test(arguments: [
        ("UnitPrice", "unitPrice"), ("unit_price", "unitPrice"), ("unit-price", "unitPrice"),
        ("Unit Price", "unitPrice"), ("unitPrice", "unitPrice"), ("UNIT_PRICE", "unitPrice"),
        ("ISBN", "isbn"), ("ISBNCode", "isbnCode"), ("AlbumID", "albumId"), ("MGLT", "mglt"),
        ("MP3File", "mp3File"), ("address2", "address2"), ("Größe", "größe"), ("a.b/c", "aBC"),
        ("2ndName", "value2ndName"), ("", "value"), ("%%", "value"), ("__x__", "x"),
        ("Description", "trackDescription"), ("hash", "trackHash"), ("entity", "trackEntity"),
        ("object_id", "objectId"), ("objectID", "objectId"), ("is_deleted", "trackIsDeleted"),
        ("class", "trackClass"), ("in", "trackIn"), ("SELF", "trackSelf"), ("Size", "trackSize"),
        ("First", "trackFirst"), ("name", "name"), ("type", "type"), ("id", "id"),
    ])
    func makesPropertyNames(source: String, expected: String) {
        #expect(PropertyName.make(NameWords(source), entity: "Track") == expected)
    }

    @Test(arguments: [
        ("Album", "Album"), ("InvoiceLine", "InvoiceLine"), ("invoice_lines", "InvoiceLines"),
        ("film", "Film"), ("ISBN", "ISBN"), ("my albums", "MyAlbums"), ("7up", "Entity7up"),
        ("", "Entity"), ("Order-Line", "OrderLine"),
    ])
    func makesEntityNames(source: String, expected: String) {
        #expect(PropertyName.entity(source) == expected)
    }

    @Test(arguments: [
        ("track", "tracks"), ("category", "categories"), ("box", "boxes"), ("day", "days"),
        ("address", "addresses"), ("status", "statuses"), ("church", "churches"),
        ("wish", "wishes"), ("person", "people"), ("child", "children"), ("species", "species"),
        ("photo", "photos"), ("hero", "heroes"), ("movie", "movies"), ("house", "houses"),
        ("analysis", "analyses"), ("knife", "knives"), ("quiz", "quizzes"), ("cache", "caches"),
        ("case", "cases"), ("area", "areas"), ("bus", "buses"), ("size", "sizes"),
        ("invoice", "invoices"), ("genre", "genres"), ("company", "companies"),
    ])
    func pluralises(singular: String, plural: String) {
        #expect(EnglishNoun.plural(singular) == plural)
        #expect(EnglishNoun.plural(plural) == plural)
        #expect(EnglishNoun.singular(plural) == singular)
        #expect(EnglishNoun.singular(singular) == singular)
    }

    @Test func pluralisesTheLastWordOfAnEntity() {
        #expect(PropertyName.plural(ofEntity: "MediaType", in: "Track") == "mediaTypes")
        #expect(PropertyName.plural(ofEntity: "InvoiceLines", in: "Track") == "invoiceLines")
        #expect(PropertyName.plural(ofEntity: "Category", in: "Track") == "categories")
    }

    @Test(
        arguments: [
            ("AlbumId", "Album", 0), ("album_id", "albums", 0), ("albumid", "Album", 0),
            ("AlbumsID", "albums", 0), ("id", "Album", 1), ("ID", "Album", 1), ("pk", "Album", 2),
            ("ArtistId", "Album", nil), ("AlbumKey", "Album", nil), ("person_id", "people", 0),
            ("people_id", "people", 0),
        ] as [(String, String, Int?)])
    func ranksKeyNames(column: String, entity: String, rank: Int?) {
        #expect(KeyName.rank(column, ofEntity: entity) == rank)
    }

    @Test func checksNamesOfMappings() {
        #expect(PropertyName.isValid("manager"))
        #expect(PropertyName.isValid("_x2"))
        for wrong in ["", "2x", "a b", "a-b", "description", "class", "SELF", "any"] {
            #expect(!PropertyName.isValid(wrong))
        }
    }
}
