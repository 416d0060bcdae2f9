// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// The full library from CSV files: what `lode import` does, beside the `sqlite3` shell.
///
/// From two files into a new one, with a unique ISBN, an index on the year and books known to
/// shelves. Lode reads the files twice, as it infers the model.
enum CSVImport {
    /// The short name.
    static let name = "csv"
    private static let task = "rows of CSV files (SQLite: by its shell)"
    private static let leastRatio = 1.5

    /// Imports by turns, with the shell if it is installed.
    static func measure(_ stores: FilledStores) throws -> Comparison {
        let files = try LibraryFiles(
            stores.books, shelfCount: stores.shelfCount, in: stores.folder.makePath())
        var importers: [any FileImporter.Type] = [LodeFiles.self]
        if SQLiteFiles.shell != nil { importers.insert(SQLiteFiles.self, at: 0) }
        let names = stores.configuration.libraryEngines.map(\.name)
        importers.removeAll { !names.contains($0.name) }
        var results = importers.map { EngineResult(name: $0.name) }
        for _ in 0..<stores.configuration.runCount {
            for (index, importer) in importers.enumerated() {
                let path = stores.folder.makePath()
                results[index].samples.add(
                    try Stopwatch.time { try importer.load(files, into: path) }.seconds)
                results[index].checksum = try importer.check(path)
                guard results[index].checksum == stores.all.contents(hasShelves: true) else {
                    throw BenchmarkError("\(importer.name) holds other books than its files have")
                }
                stores.folder.remove(path)
            }
        }
        stores.folder.remove(files.folder)
        return Comparison(task: task, unit: .seconds(files.rowCount), results: results)
    }

    /// Compares the two, if both are there.
    static func verdicts(_ comparisons: [Comparison]) -> [Verdict] {
        guard let comparison = comparisons.first(where: { $0.task == task }),
            let subject = comparison.median(LodeFiles.name),
            let shell = comparison.median(SQLiteFiles.name)
        else { return [] }
        return [
            .atLeast(
                leastRatio, "import of CSV files, in the rate of the sqlite3 shell",
                subject / shell, format: Figures.ratio)
        ]
    }
}
