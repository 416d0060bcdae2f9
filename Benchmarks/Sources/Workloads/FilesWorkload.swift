// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines
import Foundation

/// The full library from CSV files.
public enum FilesWorkload: Workload {
    /// The name.
    public static let name = "files"
    /// The summary.
    public static let summary =
        "the library from two CSV files into a new file, with a unique ISBN, an index on the year "
        + "and books known to shelves; Lode reads them twice, as it infers the model; the shell "
        + "with WAL, synchronous=NORMAL and a cache of 256 MiB"
    private static let leastRatio = 1.5

    /// Imports by turns.
    public static func run(_ stores: FilledStores) throws -> Report {
        let books = stores.books
        let files = try LibraryFiles(
            books, shelfCount: stores.shelfCount, in: stores.folder.makePath())
        var importers: [any FileImporter.Type] = [LodeFiles.self]
        if SQLiteFiles.shell != nil { importers.append(SQLiteFiles.self) }
        var results = importers.map { EngineResult(name: $0.name) }
        for _ in 0..<stores.configuration.runCount {
            for (index, importer) in importers.enumerated() {
                let path = stores.folder.makePath()
                results[index].samples.add(
                    try Stopwatch.time { try importer.load(files, into: path) }.seconds)
                results[index].checksum = try importer.check(path)
                stores.folder.remove(path)
            }
        }
        try results.requireAgreement(name)
        var report = Report.rates(results, objectCount: files.rowCount)
        guard importers.count > 1 else { return report }
        report.verdicts.append(
            .atLeast(
                leastRatio, "import of CSV files, in the rate of the sqlite3 shell",
                results.median(SQLiteFiles.name) / results.median(LodeFiles.name),
                format: Figures.ratio))
        return report
    }
}
