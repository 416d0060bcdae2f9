// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import Testing

@Suite struct LoaderTests {
    static let music = [
        "Artist.csv": "ArtistId,Name\n1,AC/DC\n2,Accept\n",
        "Album.csv": "AlbumId,Title,ArtistId\n1,Rock,1\n2,Balls,2\n3,Fast,2\n",
        "Playlist.csv": "PlaylistId,Name\n1,Loud\n2,Silent\n",
        "AlbumPlaylist.csv": "AlbumId,PlaylistId\n1,1\n2,1\n3,2\n",
    ]
    static let musicDump = [
        "Album albumId=1 title=Rock artist=1 playlists=[1]",
        "Album albumId=2 title=Balls artist=2 playlists=[1]",
        "Album albumId=3 title=Fast artist=2 playlists=[2]",
        "Artist artistId=1 name=AC/DC albums=[1]",
        "Artist artistId=2 name=Accept albums=[2 3]",
        "Playlist playlistId=1 name=Loud albums=[1 2]",
        "Playlist playlistId=2 name=Silent albums=[3]",
    ]

    /// With batches of one row, everything comes from the store that a batch needs of another.
    @Test(arguments: [1, 2, 10_000]) func loadsAFolderOfCSV(batchSize: Int) throws {
        try withWorkplace { place throws in
            let report = try place.load(Self.music, batchSize: batchSize)
            #expect(
                report.counts == [
                    "Album 3/0/0/0", "Artist 2/0/0/0", "Playlist 2/0/0/0", "AlbumPlaylist 3/0/0",
                ])
            #expect(report.readCount == 10)
            try place.expect(Self.musicDump)
            #expect(try place.leftovers() == ["library.lode"])
        }
    }

    @Test func loadsJSONWithForwardReferences() throws {
        let text = """
            {"AlbumPlaylist": [{"AlbumId": 1, "PlaylistId": 1}, {"AlbumId": 2, "PlaylistId": 1},
               {"AlbumId": 3, "PlaylistId": 2}],
             "Album": [{"AlbumId": 1, "Title": "Rock", "ArtistId": 1},
               {"AlbumId": 2, "Title": "Balls", "ArtistId": 2},
               {"AlbumId": 3, "Title": "Fast", "ArtistId": 2}],
             "Playlist": [{"PlaylistId": 1, "Name": "Loud"}, {"PlaylistId": 2, "Name": "Silent"}],
             "Artist": [{"ArtistId": 1, "Name": "AC/DC"}, {"ArtistId": 2, "Name": "Accept"}]}
            """
        for batchSize in [1, 10_000] {
            try withWorkplace { place throws in
                _ = try place.load(["music.json": text], batchSize: batchSize)
                try place.expect(Self.musicDump)
            }
        }
    }

    @Test func loadsJSONLinesOfAllTypes() throws {
        let mapping = """
            {"entities": {"thing": {"attributes": {
              "small": {"type": "integer16"}, "price": {"type": "decimal"},
              "ratio": {"type": "float"}, "link": {"type": "uri"},
              "bytes": {"type": "binaryData"}, "tag": {"type": "uuid"},
              "flag": {"type": "boolean"}, "day": {"type": "date"}}}}}
            """
        let text = """
            {"id": "a", "small": -5, "price": 12.50, "ratio": 0.25, "link": "https://e.org/x", \
            "bytes": "AAEC", "tag": "00112233-4455-6677-8899-aabbccddeeff", "flag": true, \
            "day": "2001-01-02", "big": 9007199254740993, "real": 0.1}
            {"id": "b"}

            """
        try withWorkplace { place throws in
            #expect(
                try place.load(["thing.jsonl": text], mapping: mapping).counts
                    == ["Thing 2/0/0/0"])
            try place.expect([
                "Thing id=a small=-5 price=12.5 ratio=0.25 link=https://e.org/x bytes=AAEC "
                    + "tag=00112233-4455-6677-8899-AABBCCDDEEFF flag=1 day=86400.0 "
                    + "big=9007199254740993 real=0.1",
                "Thing id=b small=nil price=nil ratio=nil link=nil bytes=nil tag=nil flag=nil "
                    + "day=nil big=nil real=nil",
            ])
            #expect(
                try place.load(["thing.jsonl": text], mapping: mapping).counts
                    == ["Thing 0/0/2/0"])
        }
    }

    @Test func setsReferencesToTheSameEntity() throws {
        let mapping = """
            {"entities": {"Employee": {"relationships": {"ReportsTo": {
              "destination": "Employee", "name": "manager", "inverse": "reports"}}},
             "Customer": {"relationships": {"SupportRepId": {"destination": "Employee"}}}}}
            """
        let files = [
            "Employee.csv": "EmployeeId,Name,ReportsTo\n1,Ann,2\n2,Bob,3\n3,Cid,\n4,Dan,4\n",
            "Customer.csv": "CustomerId,SupportRepId\n1,4\n2,1\n",
        ]
        for batchSize in [1, 3, 10_000] {
            try withWorkplace { place throws in
                let report = try place.load(files, mapping: mapping, batchSize: batchSize)
                #expect(report.counts == ["Customer 2/0/0/0", "Employee 4/0/0/0"])
                try place.expect(
                    [
                        "Customer customerId=1 supportRep=4",
                        "Customer customerId=2 supportRep=1",
                        "Employee employeeId=1 name=Ann manager=2 customers=[2] reports=[]",
                        "Employee employeeId=2 name=Bob manager=3 customers=[] reports=[1]",
                        "Employee employeeId=3 name=Cid manager=nil customers=[] reports=[2]",
                        "Employee employeeId=4 name=Dan manager=4 customers=[1] reports=[4]",
                    ].sorted())
                let bytes = try place.storeBytes()
                let again = try place.load(files, mapping: mapping, batchSize: batchSize)
                #expect(again.counts == ["Customer 0/0/2/0", "Employee 0/0/4/0"])
                #expect(try place.storeBytes() == bytes)
            }
        }
    }

    @Test func setsReferencesInCircles() throws {
        let files = ["A.csv": "AId,BId\n1,2\n2,1\n", "B.csv": "BId,AId,x\n1,1,7\n2,1,8\n"]
        try withWorkplace { place throws in
            #expect(try place.load(files, batchSize: 1).counts == ["A 2/0/0/0", "B 2/0/0/0"])
            try place.expect([
                "A aId=1 b=2 bs=[1 2]", "A aId=2 b=1 bs=[]", "B bId=1 x=7 a=1 bAs=[2]",
                "B bId=2 x=8 a=1 bAs=[1]",
            ])
            #expect(try place.load(files).counts == ["A 0/0/2/0", "B 0/0/2/0"])
        }
    }

    @Test func setsReferencesOfRowsWithoutKey() throws {
        let files = [
            "m.json": #"{"Visit": [{"day": 1, "petId": 2}, {"day": 2, "petId": 1}],"#
                + #" "Pet": [{"petId": 1, "name": "x"}, {"petId": 2, "name": "y"}]}"#
        ]
        for batchSize in [1, 10_000] {
            try withWorkplace { place throws in
                #expect(
                    try place.load(files, batchSize: batchSize).counts
                        == ["Visit 2/0/0/0", "Pet 2/0/0/0"])
                let lines = [
                    "Pet petId=1 name=x visits=[?]", "Pet petId=2 name=y visits=[?]",
                    "Visit day=1 pet=2", "Visit day=2 pet=1",
                ]
                try place.expect(lines)
                #expect(try place.load(files).counts == ["Visit 0/0/2/0", "Pet 0/0/2/0"])
                try place.expect(lines)
            }
        }
    }

    @Test func linksArraysOfKeys() throws {
        let film =
            #"[{"model": "x.film", "pk": 1, "fields": {"title": "A", "starships": [2, 1]}},"#
            + #"{"model": "x.film", "pk": 2, "fields": {"title": "B", "starships": []}}]"#
        let ship =
            #"[{"model": "x.starship", "pk": 1, "fields": {"name": "s"}},"#
            + #"{"model": "x.starship", "pk": 2, "fields": {"name": "t"}}]"#
        try withWorkplace { place throws in
            let report = try place.load(["a.json": film, "b.json": ship])
            #expect(
                report.counts == ["Film 2/0/0/0", "Starship 2/0/0/0", "Film.starships 2/0/0"])
            try place.expect([
                "Film pk=1 title=A starships=[1 2]", "Film pk=2 title=B starships=[]",
                "Starship pk=1 name=s films=[1]", "Starship pk=2 name=t films=[1]",
            ])
            let again = try place.load(["a.json": film, "b.json": ship])
            #expect(
                again.counts == ["Film 0/0/2/0", "Starship 0/0/2/0", "Film.starships 0/2/0"])
        }
    }

    @Test func reportsProgress() throws {
        try withWorkplace { place throws in
            var seen: [ImportProgress] = []
            _ = try place.load(
                ["A.csv": "AId,BId\n1,1\n", "B.csv": "BId,AId,x\n1,1,1\n"]
            ) { seen.append($0) }
            #expect(
                seen.map { "\($0.phase) \($0.rows) \($0.bytesRead)/\($0.totalBytes)" } == [
                    "survey 1 12/28", "survey 2 28/28", "objects 1 12/28", "objects 2 28/28",
                    "references 1 12/12",
                ])
        }
    }

    @Test func needsAFolderForTheStore() throws {
        try withWorkplace { place throws in
            let store = URL(fileURLWithPath: place.folder + "/no/where.lode")
            #expect {
                _ = try LibraryImporter(path: place.folder, into: store)
            } throws: { error in
                (error as? ImportError)?.code == .cannotOpen
            }
            #expect(try place.leftovers() == [])
        }
    }
}
