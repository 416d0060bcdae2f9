// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct ReadmeTests {
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("ReadmeTests-\(UUID().uuidString)")

    private static let programs = ["ReadmeProgram.swift", "ReadmeComponents.swift"]

    @Test func theProgramsAreTheCompiledOnes() throws {
        let blocks = try Readme.blocks("swift")
        #expect(blocks.count == Self.programs.count)
        for (file, program) in zip(Self.programs, blocks) {
            let compiled = try Readme.compiledProgram(file)
            for (index, (written, built)) in zip(program, compiled).enumerated() {
                #expect(written == built, "line \(index + 1) of what the README has of \(file)")
            }
            #expect(program.count == compiled.count)
            #expect(program.first == "import CoreData")
        }
    }

    @Test func theFirstProgramIsShort() throws {
        let blocks = try Readme.blocks("swift")
        #expect(blocks[0].count < 25)
        #expect(blocks[1].count <= blocks[0].count)
    }

    /// Runs a program in a process of its own, as it works in the current directory.
    private func output(ofComponents: Bool) async throws -> String {
        let path = directory.path
        let result = try await #require(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) { [path = path as String, ofComponents = ofComponents as Bool] in
            try #require(FileManager.default.changeCurrentDirectoryPath(path))
            if ofComponents { try runReadmeComponents() } else { try runReadmeProgram() }
            fflush(nil)
        }
        return String(decoding: result.standardOutputContent, as: UTF8.self)
    }

    @Test func theProgramsPrintWhatTheReadmeSays() async throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let texts = try Readme.blocks("text").map { $0.map { "\($0)\n" }.joined() }
        #expect(texts == ["Bob works for Ada\n", "Hero has 12 points\n"])
        for (number, text) in texts.enumerated() {
            #expect(try await output(ofComponents: number == 1) == text)
            let file = directory.appendingPathComponent(["office.lode", "world.lode"][number]).path
            #expect(FileManager.default.fileExists(atPath: file))
            let again = try await output(ofComponents: number == 1)
            #expect(again == text + text, "the file keeps what the first run saved")
        }
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
        #expect(try Readme.lines(of: "README.md").count < 210)
    }
}
