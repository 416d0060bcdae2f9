// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct ReadmeTests {
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("ReadmeTests-\(UUID().uuidString)")

    @Test func theProgramIsTheCompiledOne() throws {
        let program = try #require(try Readme.blocks("swift").first)
        let compiled = try Readme.compiledProgram()
        for (index, (written, built)) in zip(program, compiled).enumerated() {
            #expect(written == built, "line \(index + 1) of the README's first Swift block")
        }
        #expect(program.count == compiled.count)
        #expect(program.first == "import CoreData")
    }

    /// Runs the program in a process of its own, as it works in the current directory.
    private func output() async throws -> String {
        let path = directory.path
        let result = try await #require(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) { [path = path as String] in
            try #require(FileManager.default.changeCurrentDirectoryPath(path))
            try runReadmeProgram()
            fflush(nil)
        }
        return String(decoding: result.standardOutputContent, as: UTF8.self)
    }

    @Test func theProgramPrintsWhatTheReadmeSays() async throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let line = "Ada scored 12 for the Blues\n"
        #expect(try Readme.blocks("text").first == ["Ada scored 12 for the Blues"])
        #expect(try await output() == line)
        let file = directory.appendingPathComponent("league.lode").path
        #expect(FileManager.default.fileExists(atPath: file))
        #expect(try await output() == line + line, "the file keeps what the first run saved")
    }

    @Test func theCommandsAreTheOnesOfTheGate() throws {
        let commands = try Readme.blocks("sh").joined().filter { !$0.isEmpty }
        let setUp =
            "$(command -v sudo) apt-get update && "
            + "$(command -v sudo) apt-get install -y liblmdb-dev && "
        #expect(commands == [setUp + "swift run -c release lode demo", setUp + "swift test"])
        let gate = try Readme.lines(of: ".ci/run")
        for command in commands { #expect(gate.contains("run '\(command)'")) }
    }

    @Test func theReadmeIsShort() throws {
        #expect(try Readme.lines(of: "README.md").count < 200)
    }
}
