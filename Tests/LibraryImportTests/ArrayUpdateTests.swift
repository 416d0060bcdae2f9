// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import Testing

/// Arrays of keys in rows of objects that the store has: the object gets the links of its row.
@Suite struct ArrayUpdateTests {
    private let tags = #"[{"id": 1, "n": "a"}, {"id": 2, "n": "b"}, {"id": 3, "n": "c"}]"#

    private func load(_ items: String, _ place: Workplace, batchSize: Int = 10) throws -> [String] {
        try place.load(["tag.json": tags, "item.json": items], batchSize: batchSize)
            .description.split(separator: "\n").dropFirst().map(String.init)
    }

    @Test func linksThatARowNoLongerHasGo() throws {
        try withWorkplace { place throws in
            _ = try load(
                #"[{"id": 1, "tags": [1, 2]}, {"id": 2, "tags": [2]}, {"id": 3, "tags": [3]}]"#,
                place)
            #expect(
                try load(
                    #"[{"id": 1, "tags": [2, 3]}, {"id": 2, "tags": []}, {"id": 3}]"#, place)
                    == [
                        "  Item: 0 inserted, 3 unchanged", "  Tag: 0 inserted, 3 unchanged",
                        "  Item.tags: 1 linked, 1 unchanged, 3 removed",
                    ])
            try place.expect([
                "Item id=1 tags=[2 3]", "Item id=2 tags=[]", "Item id=3 tags=[]",
                "Tag id=1 n=a items=[]", "Tag id=2 n=b items=[1]", "Tag id=3 n=c items=[1]",
            ])
        }
    }

    /// The references phase sets them, as the destinations come after the rows.
    @Test(arguments: [1, 10]) func linksToLaterRowsGoToo(batchSize: Int) throws {
        let mapping = #"{"entities": {"e": {"relationships": {"to": {"destination": "e"}}}}}"#
        func load(_ rows: String, _ place: Workplace) throws {
            _ = try place.load(["e.json": rows], mapping: mapping, batchSize: batchSize)
        }
        try withWorkplace { place throws in
            try load(#"[{"id": 1, "to": [2, 3]}, {"id": 2, "to": [1]}, {"id": 3}]"#, place)
            try load(#"[{"id": 1, "to": [3]}, {"id": 2, "to": [2]}, {"id": 3, "to": []}]"#, place)
            try place.expect([
                "E id=1 to=[3] es=[]", "E id=2 to=[2] es=[2]", "E id=3 to=[] es=[1]",
            ])
        }
    }
}
