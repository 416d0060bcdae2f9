// SPDX-License-Identifier: Apache-2.0

import LibraryImport
import Schema
import Testing

@Suite struct ImportPlanTests {
    static let music = ["m.json": ModelInferenceTests.music]

    @Test func readsAFileInOrderOnce() throws {
        try plan(Self.music) { plan in
            #expect(
                plan.steps == [
                    LoadStep(source: 0, phase: .objects, tables: [0, 1, 2, 3, 4, 5, 6, 7])
                ])
            #expect(plan.tables.allSatisfy { !$0.hasDeferredWork })
            #expect(
                plan.tables.map(\.target) == [
                    .entity(0), .entity(1), .entity(2), .entity(3), .entity(4), .entity(5),
                    .entity(6), .links(0),
                ])
            #expect(
                plan.tables[3].columns.map(\.slot) == [
                    .attribute(0), .attribute(1), .attribute(2), .attribute(3), .toOne(0),
                    .toOne(1),
                ])
            #expect(plan.tables[7].columns.map(\.slot) == [.firstEnd, .secondEnd])
        }
    }

    @Test func defersSelfReferences() throws {
        let mapping = try ImportMapping.parse(
            """
            {"entities": {"Employee": {"relationships": {"ReportsTo": {
              "destination": "Employee"}}}}}
            """
        )
        try plan(Self.music, mapping: mapping) { plan in
            #expect(plan.tables[4].deferredToOne == [0])
            #expect(
                plan.steps == [
                    LoadStep(source: 0, phase: .objects, tables: [0, 1, 2, 3, 4, 5, 6, 7]),
                    LoadStep(source: 0, phase: .references, tables: [4]),
                ])
        }
    }

    @Test func defersWhatPointsAheadInAFile() throws {
        let text = """
            {"AB": [{"AId": 1, "BId": 1}], "A": [{"AId": 1, "BId": 1}],
             "B": [{"BId": 1, "AId": 1, "cs": [1]}], "C": [{"id": 1}]}
            """
        try plan(["m.json": text]) { plan in
            #expect(plan.tables.map(\.isDeferred) == [true, false, false, false])
            #expect(plan.tables.map(\.deferredToOne) == [[], [0], [], []])
            #expect(plan.tables.map(\.deferredArrays) == [[], [], [0], []])
            #expect(
                plan.steps == [
                    LoadStep(source: 0, phase: .objects, tables: [1, 2, 3]),
                    LoadStep(source: 0, phase: .references, tables: [0, 1, 2]),
                ])
        }
    }

    @Test func readsAChainOfFilesFromItsEnd() throws {
        // Each refers to the next one, but for the last, which refers to the one in the middle.
        let names = (100..<160).map { "t\($0)" }
        var files: [String: String] = [:]
        for (index, name) in names.enumerated() {
            let next = index + 1 < names.count ? names[index + 1] : names[30]
            files["\(name).csv"] = "\(name)_id,\(next)_id\n1,1\n"
        }
        try plan(files) { plan in
            let objects = plan.steps.filter { $0.phase == .objects }.map(\.source)
            // The first files lead into a circle, which is entered where it was reached.
            #expect(objects == Array(0...30) + Array((31..<60).reversed()))
        }
        files["\(names[59]).csv"] = "\(names[59])_id,name\n1,x\n"
        try plan(files) { plan in
            let objects = plan.steps.filter { $0.phase == .objects }.map(\.source)
            #expect(objects == Array((0..<60).reversed()))
            #expect(plan.tables.allSatisfy { !$0.hasDeferredWork })
        }
    }

    @Test func readsFilesWithDestinationsFirst() throws {
        let files = [
            "a_tracks.csv": "track_id,album_id\n1,1\n",
            "b_albums.csv": "albums_id,artist_id\n1,1\n",
            "c_artists.csv": "artists_id,name\n1,x\n",
        ]
        let mapping = try ImportMapping.parse(
            """
            {"entities": {
              "a_tracks": {"relationships": {"album_id": {"destination": "b_albums"}}},
              "b_albums": {"key": "albums_id", "relationships": {"artist_id": {"destination": \
              "c_artists"}}},
              "c_artists": {"key": "artists_id"}}}
            """)
        try plan(files, mapping: mapping) { plan in
            #expect(plan.steps.map(\.source) == [2, 1, 0])
            #expect(plan.tables.allSatisfy { !$0.hasDeferredWork })
        }
    }

    @Test func breaksCyclesOfFiles() throws {
        let files = ["A.csv": "AId,BId\n1,1\n", "B.csv": "BId,AId,x\n1,1,1\n"]
        try plan(files) { plan in
            #expect(plan.steps.map(\.source) == [0, 1, 0])
            #expect(plan.steps.map(\.phase) == [.objects, .objects, .references])
            #expect(plan.tables.map(\.deferredToOne) == [[0], []])
        }
    }

    @Test func defersReferencesBetweenMixedSections() throws {
        let text = """
            [{"model": "x.a", "pk": 1, "fields": {"n": 1}}, {"model": "x.b", "pk": 1, "fields": \
            {"aId": 1}},
             {"model": "x.a", "pk": 2, "fields": {"n": 1}}]
            """
        try plan(["m.json": text]) { plan in
            #expect(plan.tables.map(\.name) == ["A", "B"])
            #expect(plan.tables[1].deferredToOne == [0])
        }
    }

    @Test func passesOverIgnoredTables() throws {
        let mapping = try ImportMapping.parse(
            #"{"entities": {"B": {"ignore": true}, "meta": {"ignore": true}}}"#)
        try plan(["m.json": #"{"meta": 1, "A": [{"x": 1}], "B": [{"y": 1}]}"#], mapping: mapping) {
            plan in
            #expect(plan.tables.map(\.target) == [.entity(0), .ignored])
            #expect(plan.steps == [LoadStep(source: 0, phase: .objects, tables: [0])])
            var row = RawRow()
            var output = ConvertedRow()
            let source = try plan.open(plan.steps[0])
            var converter = RowConverter(plan)
            var outcomes: [RowConverter.Outcome] = []
            while try source.next(into: &row) {
                outcomes.append(converter.convert(row, from: source, into: &output))
            }
            #expect(outcomes == [.converted, .ignored])
        }
    }

    @Test func reportsProgress() throws {
        try withFolder { folder in
            let sources = try write(["a.csv": "x\n1\n2\n", "b.csv": "x\n1\n"], to: folder)
            var reports: [ImportProgress] = []
            _ = try ImportPlan.make(sources: sources) { reports.append($0) }
            #expect(reports.map(\.phase) == [.survey, .survey])
            #expect(reports.map(\.rows) == [2, 3])
            #expect(reports.map(\.bytesRead) == [6, 10])
            #expect(reports.map(\.totalBytes) == [10, 10])
            #expect(reports.map(\.file) == sources.map(\.path))
        }
    }

    @Test func reportsProgressWithinAFile() throws {
        try withFolder { folder in
            let text = "x\n" + String(repeating: "1\n", count: 5000)
            let sources = try write(["a.csv": text], to: folder)
            var rows: [Int] = []
            _ = try ImportPlan.make(sources: sources) { rows.append($0.rows) }
            #expect(rows == [4096, 5000])
        }
    }
}
