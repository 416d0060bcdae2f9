// SPDX-License-Identifier: Apache-2.0

import LibraryImport
import Testing

@Suite struct ReportTests {
    private let rejected = RejectedRow(
        file: "m.json", line: 7, row: 2, entity: "Track", reason: "Name is missing")

    @Test func describesCountsAndRejections() throws {
        let model = try model(["m.json": ModelInferenceTests.music])
        var report = ImportReport(model: model, rejectionLimit: 1)
        #expect(report.entities.map(\.name).first == "Artist")
        #expect(report.links.map(\.name) == ["PlaylistTrack"])
        report.entities.removeLast(5)
        report.entities[0].read = 3503
        report.entities[0].inserted = 3500
        report.entities[0].rejected = 3
        report.entities[1].read = 3
        report.entities[1].updated = 2
        report.entities[1].unchanged = 1
        report.links[0].read = 8715
        report.links[0].inserted = 8715
        report.seconds = 1.054
        report.reject(rejected)
        report.reject(rejected)
        report.reject(rejected)
        #expect(report.rejections.count == 1)
        #expect(report.rejectionCount == 3)
        #expect(
            report.description == """
                12,221 rows in 1.05 s
                  Artist: 3,500 inserted, 3 rejected
                  MediaType: 0 inserted, 2 updated, 1 unchanged
                  PlaylistTrack: 8,715 linked
                3 rejected rows
                  m.json:7: Track row 2: Name is missing
                  and 2 more
                """)
        #expect(ImportReport().description == "0 rows in 0.00 s")
    }

    @Test func tellsIncompleteRowsFromRejectedOnes() {
        var report = ImportReport(entities: [.init(name: "Track")], rejectionLimit: 0)
        report.entities[0].read = 4
        report.entities[0].inserted = 3
        report.entities[0].rejected = 1
        report.entities[0].incomplete = 2
        for _ in 1...3 { report.reject(rejected) }
        #expect(
            report.description == """
                4 rows in 0.00 s
                  Track: 3 inserted, 1 rejected, 2 incomplete
                1 rejected row, 2 incomplete rows
                  and 3 more
                """)
    }

    @Test func namesArrayRelationships() {
        let link = InferredManyToMany(
            origin: .column(sourceName: "starships"),
            first: .init(entity: "Film", property: "starships"),
            second: .init(entity: "Starship", property: "films"))
        #expect(link.name == "Film.starships")
    }

    @Test func strictErrorSaysWhatToDo() {
        #expect(rejected.strictError.code == .strictRejection)
        #expect(
            rejected.strictError.description
                == "m.json:7: Track row 2: Name is missing. Nothing was imported: correct the row, "
                + "or leave out --strict to import what can be imported")
    }

    @Test func errorsNameTheirPlace() {
        var error = ImportError(.malformed, file: "a.csv", line: 3, column: 9, message: "no")
        #expect(error.description == "a.csv:3:9: no")
        error.column = nil
        #expect(error.description == "a.csv:3: no")
        error.line = nil
        #expect(error.description == "a.csv: no")
    }
}
