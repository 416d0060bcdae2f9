// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// The books of a run, and a file of each plain engine that holds them, made when first asked for.
public final class FilledStores {
    /// The sizes.
    public let configuration: Configuration
    /// The folder of the files.
    public let folder: BenchmarkFolder
    /// What the files are filled with.
    let all: RunBooks
    private var paths: [String: String] = [:]

    /// Makes a folder for the files of a run.
    public init(_ configuration: Configuration) throws {
        self.configuration = configuration
        all = RunBooks(configuration)
        folder = try BenchmarkFolder(in: configuration.directory)
    }

    /// The shelves that the books stand on.
    var shelfCount: Int { all.shelfCount }

    /// The books.
    var books: [BookRow] { all.rows }

    /// The path of an engine's filled file, which is not open.
    func path(_ type: any Engine.Type) throws -> String {
        if let path = paths[type.name] { return path }
        let path = folder.makePath()
        let engine = try type.init(path: path)
        try fill(engine)
        try engine.close()
        paths[type.name] = path
        return path
    }

    /// Inserts all books, a commit every ``Configuration/commitSize``.
    ///
    /// - Parameter isWhole: Whether they are one commit, not one every 10,000.
    func fill(_ engine: any Engine, isWhole: Bool = false) throws {
        for start in stride(from: 0, to: books.count, by: Configuration.commitSize) {
            let end = min(start + Configuration.commitSize, books.count)
            try engine.insert(books[start..<end], commits: !isWhole || end == books.count)
        }
    }

    /// Measures a pass over the filled files, engine after engine in each run.
    func measure(
        _ task: String, prepare: (any Engine) throws -> Void = { _ in },
        _ pass: (any Engine) throws -> Checksum
    ) throws -> [EngineResult] {
        let engines = try configuration.engines.map { try $0.init(path: path($0)) }
        for engine in engines { try prepare(engine) }
        var results = configuration.engines.map { EngineResult(name: $0.name) }
        for _ in 0..<configuration.runCount {
            for (index, engine) in engines.enumerated() {
                let (checksum, seconds) = try Stopwatch.time { try pass(engine) }
                results[index].samples.add(seconds)
                results[index].checksum = checksum
            }
        }
        for engine in engines { try engine.close() }
        try results.requireAgreement(task)
        return results
    }
}
