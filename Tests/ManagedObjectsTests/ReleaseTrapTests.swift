// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

/// What a program that was built for release says when it breaks a rule.
@Suite struct ReleaseTrapTests {
    private static let program = """
        let count = CommandLine.arguments.count
        if CommandLine.arguments.last == "trap" {
            trap("Item.number takes integer64, not \\(count) apples")
        }
        require(count == 1, "\\(count) arguments are too many")
        print("all is well")
        """

    /// Compiles the target Traps and a program of one file as release builds do.
    private func compile(in folder: URL) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let main = folder.appendingPathComponent("main.swift")
        try Self.program.write(to: main, atomically: true, encoding: .utf8)
        let product = folder.appendingPathComponent("program")
        let result = try run(
            "/usr/bin/env",
            ["swiftc", "-O", packageRoot() + "/Sources/Traps/Traps.swift", main.path]
                + ["-o", product.path])
        #expect(result.status == 0, "\(result.error)")
        return product
    }

    private func run(
        _ path: String, _ arguments: [String]
    ) throws -> (status: Int32, output: String, error: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let (output, error) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        try process.run()
        let texts = try [output, error].map {
            String(decoding: try $0.fileHandleForReading.readAll(), as: UTF8.self)
        }
        process.waitUntilExit()
        return (process.terminationStatus, texts[0], texts[1])
    }

    @Test func an_optimised_program_says_which_rule_it_broke() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("ReleaseTrapTests-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = try compile(in: folder).path
        #expect(try run(program, []).output == "all is well\n")
        let trapped = try run(program, ["trap"])
        #expect(trapped.status != 0 && trapped.output.isEmpty)
        #expect(trapped.error.contains("Item.number takes integer64, not 2 apples"))
        #expect(trapped.error.contains("main.swift:3"))
        let required = try run(program, ["more"])
        #expect(required.status != 0 && required.output.isEmpty)
        #expect(required.error.contains("2 arguments are too many"))
    }
}
