// SPDX-License-Identifier: Apache-2.0

import LibraryImport
import Testing

/// Columns whose names lead to one property: which is which must not depend on their order.
@Suite struct SamePropertyTests {
    @Test(arguments: [
        ("a b", "a_b", "aB"), ("Price ($)", "Price (€)", "price"), ("Name", "name", "name"),
        ("First-Name", "firstName", "firstName"), ("description", "P description", "pDescription"),
    ])
    func areRefused(first: String, second: String, property: String) throws {
        let error = try planError(["P.csv": "id,\(first),\(second)\n1,x,y\n"])
        #expect(error?.code == .ambiguousModel)
        #expect(error?.file.hasSuffix("/P.csv") == true)
        #expect(
            error?.message
                == "columns '\(first)' and '\(second)' of P would both be property \(property); "
                + "give each its \"name\" in a mapping file")
    }

    @Test func aMappedNameIsNoOtherColumns() throws {
        let mapping = #"{"entities": {"P": {"attributes": {"a b": {"name": "title"}}}}}"#
        let error = try planError(["P.csv": "id,a b,title\n1,x,y\n"], mapping: mapping)
        #expect(error?.code == .ambiguousModel)
        #expect(error?.message.hasPrefix("columns 'a b' and 'title' of P would") == true)
    }

    @Test func twoReferencesAreRefused() throws {
        let error = try planError([
            "Shelf.csv": "id\n1\n", "Book.csv": "id,shelf_id,ShelfId\n1,1,1\n",
        ])
        #expect(error?.code == .ambiguousModel)
        #expect(
            error?.message.hasPrefix(
                "columns 'shelf_id' and 'ShelfId' of Book would both be property shelf;") == true)
    }

    @Test func anAttributeComesBeforeARelationshipInAnyOrder() throws {
        for columns in ["shelf,ShelfId", "ShelfId,shelf"] {
            let book = try model([
                "Shelf.csv": "id\n1\n", "Book.csv": "id,\(columns)\n1,1,1\n",
            ]).entity(named: "Book")
            #expect(book?.attributes.map(\.name) == ["id", "shelf"])
            #expect(book?.toOne.map(\.name) == ["shelf2"])
        }
    }

    @Test func namesOfAMappingGoInAnyOrder() throws {
        let mapping = """
            {"entities": {"P": {"attributes": {
              "a b": {"name": "one"}, "a_b": {"name": "two"}}}}}
            """
        try withWorkplace { place throws in
            _ = try place.load(["P.csv": "id,a b,a_b\n1,x,y\n"], mapping: mapping)
            let again = try place.load(["P.csv": "a_b,id,a b\ny,1,x\n"], mapping: mapping)
            #expect(again.counts == ["P 0/0/1/0"])
        }
    }
}
