// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import Testing

/// Runs where the Chinook and SWAPI data lie beside the package; they are no part of it.
private let dataFolder: String = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().appendingPathComponent("shared/data").path
}()
private let chinook = dataFolder + "/chinook/ChinookData.json"
private let swapi = dataFolder + "/swapi"

@Suite struct RealDataTests {
    @Test(.enabled(if: FileManager.default.fileExists(atPath: chinook)))
    func readsChinook() throws {
        let mapping = try ImportMapping.parse(
            """
            {"entities": {
              "Employee": {"relationships": {"ReportsTo": {
                "destination": "Employee", "name": "manager", "inverse": "reports"}}},
              "Customer": {"relationships": {"SupportRepId": {"destination": "Employee"}}}}}
            """)
        let plan = try ImportPlan.make(
            sources: ImportSource.discover(at: chinook), mapping: mapping)
        #expect(plan.model.tableCount == 11)
        #expect(plan.model.rowCount == 15_607)
        #expect(
            plan.model.entities.map { "\($0.name) \($0.rowCount)" } == [
                "Genre 25", "MediaType 5", "Artist 275", "Album 347", "Track 3503", "Employee 8",
                "Customer 59", "Invoice 412", "InvoiceLine 2240", "Playlist 18",
            ])
        #expect(plan.model.manyToMany.map(\.rowCount) == [8715])
        #expect(plan.model.notes == [])
        #expect(
            plan.steps.map(\.phase) == [.objects, .references])
        #expect(try convertedCounts(plan) == ["converted": 15_607])
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: swapi)))
    func readsDjangoFixtures() throws {
        let mapping = try ImportMapping.parse(
            """
            {"entities": {
              "film": {"relationships": {"characters": {"destination": "people"}}},
              "people": {"relationships": {"homeworld": {"destination": "planet", "inverse": \
              "residents"}}},
              "species": {"relationships": {"homeworld": {"destination": "planet"}}},
              "starship": {"relationships": {"pilots": {"destination": "people"}}},
              "vehicle": {"relationships": {"pilots": {"destination": "people"}}}}}
            """)
        let plan = try ImportPlan.make(sources: ImportSource.discover(at: swapi), mapping: mapping)
        #expect(plan.model.rowCount == 335)
        #expect(
            plan.model.toMany(of: "People").map(\.name)
                == ["films", "species", "starships", "vehicles"])
        #expect(plan.model.toMany(of: "Planet").map(\.name) == ["residents", "species", "films"])
        #expect(try convertedCounts(plan) == ["converted": 335])
    }

    private func convertedCounts(_ plan: ImportPlan) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for step in plan.steps where step.phase == .objects {
            let source = try plan.open(step)
            var converter = RowConverter(plan)
            var row = RawRow()
            var output = ConvertedRow()
            while try source.next(into: &row) {
                switch converter.convert(row, from: source, into: &output) {
                case .converted: counts["converted", default: 0] += 1
                case .ignored: counts["ignored", default: 0] += 1
                case .rejected(let row): counts[row.description, default: 0] += 1
                }
            }
        }
        return counts
    }
}
