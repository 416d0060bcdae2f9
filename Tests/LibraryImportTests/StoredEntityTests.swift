// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import ManagedObjects
import Testing

/// What the entities of a store that exists decide about columns: names, and what they refer to.
@Suite struct StoredEntityTests {
    private static let library = [
        "Shelf.csv": "id,label\n1,A\n2,B\n",
        "Book.csv": "id,title,ShelfId\n1,x,1\n2,y,\n",
        "Tag.csv": "id,name\n1,p\n2,q\n",
        "BookTag.csv": "BookId,TagId\n1,1\n",
    ]

    @Test func aColumnIsThePropertyOfItsName() throws {
        try withWorkplace { place throws in
            let text = "id,first,userURL,in\n1,a,b,c\n2,d,e,f\n"
            _ = try place.load(["P.csv": text])
            try place.remakeStore { model in
                let attributes = model.entitiesByName["P"]?.attributesByName
                attributes?["pFirst"]?.name = "first"
                attributes?["userUrl"]?.name = "userURL"
            }
            #expect(try place.load(["P.csv": text]).counts == ["P 2/0/0/0"])
            #expect(try place.load(["P.csv": text]).counts == ["P 0/0/2/0"])
            try place.expect([
                "P id=1 first=a userURL=b pIn=c", "P id=2 first=d userURL=e pIn=f",
            ])
        }
    }

    @Test func anInverseIsThatOfTheStore() throws {
        try withWorkplace { place throws in
            let named = """
                {"entities": {"W": {"relationships": {
                  "refs": {"destination": "W", "inverse": "citedBy"},
                  "next": {"destination": "W", "inverse": "previous"}}}}}
                """
            let text = #"[{"id": 1, "refs": [2], "next": 2}, {"id": 2, "refs": [], "next": 1}]"#
            _ = try place.load(["W.json": text], mapping: named)
            let mapping = """
                {"entities": {"W": {"relationships": {
                  "refs": {"destination": "W"}, "next": {"destination": "W"}}}}}
                """
            let report = try place.load(
                ["W.json": #"[{"id": 1, "refs": [1], "next": 1}]"#], mapping: mapping)
            #expect(report.counts == ["W 0/1/0/0", "W.refs 1/0/0"])
            try place.expect([
                "W id=1 next=1 previous=[1 2] refs=[1] citedBy=[1]",
                "W id=2 next=1 previous=[] refs=[] citedBy=[]",
            ])
        }
    }

    @Test(arguments: ["boss", "boss_id", "BossId", "Boss"])
    func aColumnIsTheRelationshipOfItsName(column: String) throws {
        try withWorkplace { place throws in
            let mapping = """
                {"entities": {"P": {"relationships": {
                  "b": {"destination": "P", "name": "boss", "inverse": "team"}}}}}
                """
            _ = try place.load(["P.csv": "id,b\n1,\n2,1\n3,1\n"], mapping: mapping)
            let report = try place.load(["P.csv": "id,\(column)\n3,2\n4,3\n5,9\n2,8\n"])
            #expect(report.counts == ["P 2/1/1/0"])
            #expect(
                report.reasons == [
                    "P.csv:4 P 3: \(column) 9 leads to no P; imported without it",
                    "P.csv:5 P 4: \(column) 8 leads to no P; what it led to before stays",
                ])
            try place.expect([
                "P id=1 boss=nil team=[2]", "P id=2 boss=1 team=[3]", "P id=3 boss=2 team=[4]",
                "P id=4 boss=3 team=[]", "P id=5 boss=nil team=[]",
            ])
        }
    }

    @Test func anArrayColumnIsTheRelationshipOfItsName() throws {
        try withWorkplace { place throws in
            let mapping = """
                {"entities": {"W": {"relationships": {
                  "refs": {"destination": "W", "name": "cites", "inverse": "citedBy"}}}}}
                """
            _ = try place.load(
                ["W.json": #"[{"id": 1, "refs": [2]}, {"id": 2, "refs": []}]"#], mapping: mapping)
            let report = try place.load(["W.json": #"[{"id": 2, "cites": [1]}]"#])
            #expect(report.counts == ["W 0/0/1/0", "W.cites 1/0/0"])
            try place.expect([
                "W id=1 cites=[2] citedBy=[2]", "W id=2 cites=[1] citedBy=[1]",
            ])
        }
    }

    @Test(arguments: [1, 10_000])
    func referencesLeadToObjectsThatOnlyTheStoreHas(batchSize: Int) throws {
        try withWorkplace { place throws in
            _ = try place.load(Self.library)
            let report = try place.load(
                [
                    "Book.csv": "id,title,ShelfId\n2,z,2\n3,w,1\n4,v,9\n",
                    "Shelf.csv": "id,label\n",
                ], batchSize: batchSize)
            #expect(report.counts == ["Book 1/1/0/1", "Shelf 0/0/0/0"])
            #expect(report.reasons == ["Book.csv:4 Book 3: ShelfId 9 leads to no Shelf"])
            #expect(!report.description.contains("Shelf:"))
            let links = try place.load(
                ["BookTag.csv": "BookId,TagId\n1,1\n1,2\n3,2\n"], batchSize: batchSize)
            #expect(links.links.map(\.inserted) == [2])
            #expect(links.links.map(\.unchanged) == [1])
            try place.expect([
                "Book id=1 title=x shelf=1 tags=[1 2]", "Book id=2 title=z shelf=2 tags=[]",
                "Book id=3 title=w shelf=1 tags=[2]", "Shelf id=1 label=A books=[1 3]",
                "Shelf id=2 label=B books=[2]", "Tag id=1 name=p books=[1]",
                "Tag id=2 name=q books=[1 3]",
            ])
        }
    }

    @Test func aMappingMayNameAnEntityThatOnlyTheStoreHas() throws {
        try withWorkplace { place throws in
            _ = try place.load(Self.library)
            let mapping = """
                {"entities": {"Book": {"relationships": {
                  "place": {"destination": "Shelf", "name": "shelf"}}}}}
                """
            let report = try place.load(["Book.csv": "id,place\n1,2\n"], mapping: mapping)
            #expect(report.counts == ["Book 0/1/0/0", "Shelf 0/0/0/0"])
        }
    }

    @Test func aColumnIsAnAttributeIfItIsOneOfTheStore() throws {
        try withWorkplace { place throws in
            let files = ["A.csv": "AId,x\n1,5\n", "B.csv": "BId,AId\n1,1\n"]
            let mapping = #"{"entities": {"B": {"attributes": {"AId": {}}}}}"#
            _ = try place.load(files, mapping: mapping)
            #expect(try place.load(files).counts == ["A 0/0/1/0", "B 0/0/1/0"])
        }
    }
}
