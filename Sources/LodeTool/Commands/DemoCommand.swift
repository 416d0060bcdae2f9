// SPDX-License-Identifier: Apache-2.0

import Lode

/// `lode demo`: a tour on a library of the tool's own.
struct DemoCommand {
    private let objectCount: Int

    init(_ arguments: [String]) throws {
        let parsed = try ParsedArguments(
            arguments, command: "demo", options: ["objects"], flags: [])
        try parsed.expect()
        objectCount = try parsed.number("objects") ?? 20_000
        guard objectCount > 0 else {
            throw UsageError("--objects takes a number from 1", command: "demo")
        }
    }

    func run(_ output: ToolOutput) throws -> Int32 {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("lode-demo-\(UUID().uuidString)", isDirectory: true)
        Interruption.removeAtEnd(folder.path)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // If it cannot be removed, the next clean-up of the temporary folder does that.
        defer { try? FileManager.default.removeItem(at: folder) }
        try DemoTour(folder: folder, objectCount: objectCount, output: output).run()
        return 0
    }
}
