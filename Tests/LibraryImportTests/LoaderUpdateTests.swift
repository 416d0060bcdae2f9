// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import Testing

@Suite struct LoaderUpdateTests {
    @Test(arguments: [1, 10_000]) func writesNothingTwice(batchSize: Int) throws {
        try withWorkplace { place throws in
            _ = try place.load(LoaderTests.music)
            let bytes = try place.storeBytes()
            let report = try place.load(LoaderTests.music, batchSize: batchSize)
            #expect(
                report.counts == [
                    "Album 0/0/3/0", "Artist 0/0/2/0", "Playlist 0/0/2/0", "AlbumPlaylist 0/3/0",
                ])
            #expect(try place.storeBytes() == bytes)
        }
    }

    @Test func changesWhatDiffers() throws {
        try withWorkplace { place throws in
            _ = try place.load(LoaderTests.music)
            var files = LoaderTests.music
            files["Album.csv"] = "AlbumId,Title,ArtistId\n1,Rock,1\n2,Balls,1\n4,New,2\n"
            files["AlbumPlaylist.csv"] = "AlbumId,PlaylistId\n1,1\n4,2\n1,2\n"
            let report = try place.load(files)
            #expect(
                report.counts == [
                    "Album 1/1/1/0", "Artist 0/0/2/0", "Playlist 0/0/2/0", "AlbumPlaylist 2/1/0",
                ])
            try place.expect([
                "Album albumId=1 title=Rock artist=1 playlists=[1 2]",
                "Album albumId=2 title=Balls artist=1 playlists=[1]",
                "Album albumId=3 title=Fast artist=2 playlists=[2]",
                "Album albumId=4 title=New artist=2 playlists=[2]",
                "Artist artistId=1 name=AC/DC albums=[1 2]",
                "Artist artistId=2 name=Accept albums=[3 4]",
                "Playlist playlistId=1 name=Loud albums=[1 2]",
                "Playlist playlistId=2 name=Silent albums=[1 3 4]",
            ])
        }
    }

    @Test func setsAndClearsOptionalValues() throws {
        try withWorkplace { place throws in
            _ = try place.load(["A.csv": "AId,x,BId\n1,5,1\n2,,\n", "B.csv": "BId\n1\n"])
            #expect(
                try place.load(["A.csv": "AId,x,BId\n1,,\n2,6,1\n", "B.csv": "BId\n1\n"]).counts
                    == ["A 0/2/0/0", "B 0/0/1/0"])
            try place.expect([
                "A aId=1 x=nil b=nil", "A aId=2 x=6 b=1", "B bId=1 bAs=[2]",
            ])
        }
    }

    @Test func countsAChangedReferenceAsUpdate() throws {
        let mapping = #"{"entities": {"E": {"relationships": {"Boss": {"destination": "E"}}}}}"#
        try withWorkplace { place throws in
            _ = try place.load(["E.csv": "EId,Boss\n1,2\n2,1\n3,\n"], mapping: mapping)
            let report = try place.load(
                ["E.csv": "EId,Boss\n1,3\n2,1\n3,\n"], mapping: mapping, batchSize: 2)
            #expect(report.counts == ["E 0/1/2/0"])
        }
    }

    /// Swift takes both spellings for equal; the store tells them apart.
    @Test func tellsSpellingsOfALetterApart() throws {
        try withWorkplace { place throws in
            _ = try place.load(["A.csv": "id,x\ne\u{301},1\n\u{E9},2\n"])
            #expect(
                try place.load(["A.csv": "id,x\ne\u{301},1\n\u{E9},3\n"]).counts
                    == ["A 0/1/1/0"])
            #expect(try place.load(["A.csv": "id,x\n\u{E9},3\n"]).counts == ["A 0/0/1/0"])
        }
    }

    @Test func addsEqualRowsWithoutKeyOnlyAsOftenAsTheyCome() throws {
        try withWorkplace { place throws in
            #expect(try place.load(["A.csv": "x,y\n1,2\n1,2\n3,4\n"]).counts == ["A 3/0/0/0"])
            #expect(
                try place.load(["A.csv": "x,y\n1,2\n5,6\n3,4\n1,2\n1,2\n"], batchSize: 2).counts
                    == ["A 2/0/3/0"])
            #expect(try place.dump().count == 5)
        }
    }

    @Test func takesTheTypesOfTheStore() throws {
        try withWorkplace { place throws in
            _ = try place.load(["A.csv": "AId,x,y\n1,1.5,\n2,2.5,text\n"])
            let report = try place.load(["A.csv": "AId,x,y\n1,3,7\n2,2.5,text\n"])
            #expect(report.counts == ["A 0/1/1/0"])
            try place.expect(["A aId=1 x=3.0 y=7", "A aId=2 x=2.5 y=text"])
        }
    }

    @Test func rejectsWhatTheStoreDoesNotTake() throws {
        try withWorkplace { place throws in
            _ = try place.load(["A.csv": "AId,x,y\n1,1,2\n"])
            let report = try place.load(["A.csv": "AId,x,y\n1,one,2\n2,,2\n3,3,\n4,4,4\n"])
            #expect(report.counts == ["A 1/0/0/3"])
            #expect(
                report.reasons == [
                    "A.csv:2 A 1: x should be integer64, not \"one\"",
                    "A.csv:3 A 2: x is missing", "A.csv:4 A 3: y is missing",
                ])
        }
    }

    @Test(arguments: [
        ["B.csv": "BId\n1\n"], ["A.csv": "AId,z\n1,1\n"],
        ["A.csv": "AId,BId\n1,1\n", "B.csv": "BId,x\n1,1\n"],
    ]) func refusesWhatTheStoreLacks(files: [String: String]) throws {
        try withWorkplace { place throws in
            _ = try place.load(["A.csv": "AId,x\n1,1\n"])
            let bytes = try place.storeBytes()
            #expect {
                _ = try place.load(files)
            } throws: { error in
                (error as? ImportError)?.code == .incompatibleStore
            }
            #expect(try place.storeBytes() == bytes)
        }
    }
}
