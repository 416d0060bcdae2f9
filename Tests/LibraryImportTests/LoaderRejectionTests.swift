// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import ManagedObjects
import Testing

@Suite struct LoaderRejectionTests {
    static let files = [
        "Artist.csv": "ArtistId,Name\n1,AC/DC\n,Nobody\n3,Three\n",
        "Album.csv": "AlbumId,Title,ArtistId\n1,Rock,1\n2,Lost,9\n3,Fine,3\n",
        "Playlist.csv": "PlaylistId\n1\n",
        "AlbumPlaylist.csv": "AlbumId,PlaylistId\n1,1\n2,1\n3,7\n3,1\n3,\n",
    ]

    @Test(arguments: [1, 10_000]) func importsTheRest(batchSize: Int) throws {
        try withWorkplace { place throws in
            let report = try place.load(Self.files, batchSize: batchSize)
            #expect(
                report.counts == [
                    "Album 2/0/0/1", "Artist 2/0/0/1", "Playlist 1/0/0/0", "AlbumPlaylist 2/0/3",
                ])
            #expect(report.rejectionCount == 5)
            #expect(
                report.reasons == [
                    "Artist.csv:3 Artist 2: ArtistId is missing",
                    "Album.csv:3 Album 2: ArtistId 9 leads to no Artist",
                    "AlbumPlaylist.csv:3 AlbumPlaylist 2: AlbumId 2 leads to no Album",
                    "AlbumPlaylist.csv:4 AlbumPlaylist 3: PlaylistId 7 leads to no Playlist",
                    "AlbumPlaylist.csv:6 AlbumPlaylist 5: PlaylistId is missing",
                ])
            try place.expect([
                "Album albumId=1 title=Rock artist=1 playlists=[1]",
                "Album albumId=3 title=Fine artist=3 playlists=[1]",
                "Artist artistId=1 name=AC/DC albums=[1]",
                "Artist artistId=3 name=Three albums=[3]",
                "Playlist playlistId=1 albums=[1 3]",
            ])
        }
    }

    @Test(arguments: [1, 2, 10_000]) func rejectsRepeatedKeys(batchSize: Int) throws {
        let mapping = #"{"entities": {"A": {"key": "k"}}}"#
        let text = "k,x\n1,1\n2,2\n1,3\n2,2\n3,3\n"
        try withWorkplace { place throws in
            let reasons = [
                "A.csv:4 A 3: k 1 is in an earlier row already",
                "A.csv:5 A 4: k 2 is in an earlier row already",
            ]
            let report = try place.load(
                ["A.csv": text], mapping: mapping, batchSize: batchSize)
            #expect(report.counts == ["A 3/0/0/2"])
            #expect(report.reasons == reasons)
            let again = try place.load(["A.csv": text], mapping: mapping, batchSize: batchSize)
            #expect(again.counts == ["A 0/0/3/2"])
            #expect(again.reasons == reasons)
            try place.expect(["A k=1 x=1", "A k=2 x=2", "A k=3 x=3"])
        }
    }

    @Test(arguments: [1, 2, 10_000]) func rejectsKeysThatOnlyTheirSpellingDistinguishes(
        batchSize: Int
    ) throws {
        let mapping = #"{"entities": {"E": {"relationships": {"Boss": {"destination": "E"}}}}}"#
        let (one, two) = (
            "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "00000000-0000-0000-0000-00000000000A"
        )
        let text = "EId,x,Boss\n\(one),1,\(two)\n\(two),2,\n\(one.lowercased()),3,\n"
        try withWorkplace { place throws in
            let reasons = ["E.csv:4 E 3: EId \(one) is in an earlier row already"]
            let report = try place.load(
                ["E.csv": text], mapping: mapping, batchSize: batchSize)
            #expect(report.counts == ["E 2/0/0/1"])
            #expect(report.reasons == reasons)
            let again = try place.load(["E.csv": text], mapping: mapping, batchSize: batchSize)
            #expect(again.counts == ["E 0/0/2/1"])
            #expect(again.reasons == reasons)
        }
    }

    @Test(arguments: [1, 10_000]) func rejectsNumbersThatOnlyTheirSpellingDistinguishes(
        batchSize: Int
    ) throws {
        let files = [
            "A.csv": "AId,x\n1,1\n2,2\n1.0,3\n0,4\n-0,5\n",
            "B.jsonl": "{\"BId\": 1}\n{\"BId\": \"1\"}\n{\"BId\": \"b\"}\n",
        ]
        try withWorkplace { place throws in
            for counts in [["A 3/0/0/2", "B 2/0/0/1"], ["A 0/0/3/2", "B 0/0/2/1"]] {
                let report = try place.load(files, batchSize: batchSize)
                #expect(report.counts == counts)
                #expect(
                    report.reasons == [
                        "A.csv:4 A 3: AId 1 is in an earlier row already",
                        "A.csv:6 A 5: AId 0 is in an earlier row already",
                        "B.jsonl:2 B 2: BId \"1\" is in an earlier row already",
                    ])
            }
            try place.expect([
                "A aId=1 x=1", "A aId=2 x=2", "A aId=0 x=4", "B bId=1", "B bId=b",
            ])
        }
    }

    @Test(arguments: [1, 10_000]) func rejectsRepeatedUniqueValues(batchSize: Int) throws {
        let mapping = #"{"entities": {"A": {"attributes": {"mail": {"unique": true}}}}}"#
        try withWorkplace { place throws in
            let report = try place.load(
                ["A.csv": "AId,mail\n1,a@x\n2,b@x\n3,a@x\n4,\n5,\n"], mapping: mapping,
                batchSize: batchSize)
            #expect(report.counts == ["A 4/0/0/1"])
            #expect(
                report.reasons == ["A.csv:4 A 3: mail \"a@x\" belongs to another A already"])
        }
    }

    @Test func rejectsObjectsWithRepeatedKeys() throws {
        let text = #"{"id": 1, "x": 1}"# + "\n" + #"{"id": 2, "x": 1, "x": 2}"# + "\n"
        try withWorkplace { place throws in
            let report = try place.load(["A.jsonl": text])
            #expect(report.counts == ["A 1/0/0/1"])
            #expect(
                report.reasons == ["A.jsonl:2 A 2: the key \"x\" comes twice in the object"])
            try place.expect(["A id=1 x=1"])
        }
    }

    @Test func shortensLongKeysInReasons() throws {
        let key = String(repeating: "k", count: 300)
        let short = String(repeating: "k", count: 39) + "…"
        try withWorkplace { place throws in
            let report = try place.load([
                "A.csv": "AId\nx\n", "B.csv": "BId,AId\n1,x\n2,\(key)\n",
            ])
            #expect(report.reasons == ["B.csv:3 B 2: AId \"\(short)\" leads to no A"])
        }
    }

    @Test func aStrictImportSaysOfADeferredReferenceThatNothingWasImported() throws {
        let mapping = #"{"entities": {"E": {"relationships": {"Boss": {"destination": "E"}}}}}"#
        try withWorkplace { place throws in
            #expect {
                _ = try place.load(
                    ["E.csv": "EId,Boss\n1,2\n2,9\n3,1\n"], mapping: mapping, isStrict: true)
            } throws: { error in
                (error as? ImportError)?.message
                    == "E row 2: Boss 9 leads to no E. Nothing was imported: correct the row, "
                    + "or leave out --strict to import what can be imported"
            }
            #expect(try place.leftovers() == [])
        }
    }

    @Test func keepsObjectsWhoseLaterReferencesLeadNowhere() throws {
        let mapping = #"{"entities": {"E": {"relationships": {"Boss": {"destination": "E"}}}}}"#
        try withWorkplace { place throws in
            let report = try place.load(["E.csv": "EId,Boss\n1,2\n2,9\n3,1\n"], mapping: mapping)
            #expect(report.counts == ["E 3/0/0/0"])
            #expect(report.entities.map(\.read) == [3])
            #expect(report.entities.map(\.incomplete) == [1])
            #expect(report.incompleteCount == 1)
            #expect(report.rejectionCount == 1)
            #expect(report.description.hasSuffix(Self.incomplete(place)))
            #expect(
                report.reasons == ["E.csv:3 E 2: Boss 9 leads to no E; imported without it"])
            try place.expect([
                "E eId=1 boss=2 es=[3]", "E eId=2 boss=nil es=[1]", "E eId=3 boss=1 es=[]",
            ])
        }
    }

    /// The end of the report of a row without its reference.
    private static func incomplete(_ place: Workplace) -> String {
        """
          E: 3 inserted, 1 incomplete
        1 incomplete row
          \(place.files)/E.csv:3: E row 2: Boss 9 leads to no E; imported without it
        """
    }

    @Test func reportsDanglingArrays() throws {
        let mapping = #"{"entities": {"A": {"relationships": {"bs": {"destination": "B"}}}}}"#
        let a = #"{"id": 1, "bs": [1, 5]}"# + "\n" + #"{"id": 2, "bs": [1]}"# + "\n"
        try withWorkplace { place throws in
            let report = try place.load(
                ["A.jsonl": a, "B.csv": "id\n1\n"], mapping: mapping)
            #expect(report.counts == ["A 1/0/0/1", "B 1/0/0/0", "A.bs 1/0/0"])
            #expect(report.reasons == ["A.jsonl:1 A 1: bs 5 leads to no B"])
        }
        let files = ["m.json": #"{"A": [{"id": 1, "bs": [1, 5]}], "B": [{"id": 1}]}"#]
        try withWorkplace { place throws in
            let report = try place.load(files, mapping: mapping)
            #expect(report.counts == ["A 1/0/0/0", "B 1/0/0/0", "A.bs 1/0/0"])
            #expect(report.entities.map(\.incomplete) == [1, 0])
            #expect(report.reasons == ["m.json:1 A 1: bs 5 leads to no B; imported without it"])
        }
    }

    @Test func rejectsWhatIsNoURI() throws {
        let mapping = #"{"entities": {"A": {"attributes": {"u": {"type": "uri"}}}}}"#
        try withWorkplace { place throws in
            let report = try place.load(
                ["A.csv": "AId,u\n1,https://x.org/\n2,http://[bad\n"], mapping: mapping)
            #expect(report.counts == ["A 1/0/0/1"])
        }
    }

    @Test func stopsAtTheFirstRowWhenStrict() throws {
        try withWorkplace { place throws in
            #expect {
                _ = try place.load(Self.files, isStrict: true)
            } throws: { error in
                let error = error as? ImportError
                return error?.code == .strictRejection && error?.line == 3
                    && error?.file.hasSuffix("/Artist.csv") == true
            }
            #expect(try place.leftovers() == [])
        }
    }

    @Test func leavesAnExistingStoreAloneWhenStrict() throws {
        try withWorkplace { place throws in
            _ = try place.load(LoaderTests.music)
            let bytes = try place.storeBytes()
            var files = LoaderTests.music
            files["Album.csv"] = "AlbumId,Title,ArtistId\n1,Changed,1\n2,Balls,9\n"
            #expect(throws: ImportError.self) {
                _ = try place.load(files, isStrict: true, batchSize: 1)
            }
            #expect(try place.storeBytes() == bytes)
            #expect(try place.leftovers() == ["library.lode"])
            files["Album.csv"] = "AlbumId,Title,ArtistId\n1,Changed,1\n"
            files["AlbumPlaylist.csv"] = nil
            files["Playlist.csv"] = nil
            #expect(
                try place.load(files, isStrict: true).counts == ["Album 0/1/0/0", "Artist 0/0/2/0"])
            #expect(try place.leftovers() == ["library.lode"])
        }
    }

    @Test func writesNothingForMalformedFiles() throws {
        try withWorkplace { place throws in
            var files = LoaderTests.music
            files["Zoo.json"] = "{\"Zoo\": [{\"ZooId\": 1},\n {\"ZooId\": oops}]}"
            #expect {
                _ = try place.load(files)
            } throws: { error in
                let error = error as? ImportError
                return error?.code == .malformed && error?.line == 2
            }
            #expect(try place.leftovers() == [])
        }
    }

    @Test func refusesAFileThatIsNoStore() throws {
        try withWorkplace { place throws in
            try Data("hello".utf8).write(to: place.store)
            #expect(throws: CocoaError.self) { _ = try place.load(LoaderTests.music) }
            #expect(try place.storeBytes() == Data("hello".utf8))
            #expect(try place.leftovers() == ["library.lode"])
        }
    }

    @Test func takesAnEmptyFileForAMissingStore() throws {
        try withWorkplace { place throws in
            try Data().write(to: place.store)
            let files = ["Artist.csv": "ArtistId,Name\n1,AC/DC\n2,Accept\n"]
            #expect(try place.load(files).counts == ["Artist 2/0/0/0"])
            #expect(try place.load(files).counts == ["Artist 0/0/2/0"])
            #expect(try place.leftovers() == ["library.lode"])
        }
    }

    @Test func anEmptyFileStaysWhereTheDataIsRefused() throws {
        try withWorkplace { place throws in
            try Data().write(to: place.store)
            #expect(throws: ImportError.self) {
                _ = try place.load(["Zoo.json": "{\"Zoo\": [{\"ZooId\": oops}]}"])
            }
            #expect(try place.storeBytes() == Data())
            #expect(try place.leftovers() == ["library.lode"])
        }
    }

    @Test func aLinkToAnEmptyFileIsRefused() throws {
        try withWorkplace { place throws in
            let target = place.store.path + "-target"
            try Data().write(to: URL(fileURLWithPath: target))
            try FileManager.default.createSymbolicLink(
                atPath: place.store.path, withDestinationPath: target)
            #expect(throws: CocoaError.self) { _ = try place.load(LoaderTests.music) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data())
        }
    }

    @Test func listsOnlySoManyRejections() throws {
        try withWorkplace { place throws in
            var text = "AId,BId\n"
            for id in 1...150 { text += "\(id),7\n" }
            let report = try place.load(["A.csv": text, "B.csv": "BId\n1\n"], batchSize: 40)
            #expect(report.rejections.count == 100)
            #expect(report.rejectionCount == 150)
            #expect(report.counts == ["A 0/0/0/150", "B 1/0/0/0"])
        }
    }
}
