// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

@testable import LodeTool

/// The tool, interrupted in another process.
@Suite struct InterruptionTests {
    @Test(arguments: [SIGINT, SIGTERM]) func anInterruptedImportLeavesNothingBehind(
        number: Int32
    ) async throws {
        let folder = NSTemporaryDirectory() + "InterruptionTests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var text = "BookId,Title\n"
        for row in 1...200_000 { text += "\(row),Title \(row)\n" }
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/Book.csv"))
        await #expect(processExitsWith: .signal(number)) {
            [folder = folder as String, number = number as Int32] in
            Interruption.install()
            Thread.detachNewThread {
                // As soon as the import has begun to write.
                while !InterruptionTests.isImporting(folder) { usleep(200) }
                kill(getpid(), number)
            }
            let tool = ToolRun(folder: folder)
            exit(tool.lode("import", tool.path("Book.csv"), "--into", tool.store).status)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["Book.csv"])
    }

    private static func isImporting(_ folder: String) -> Bool {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return names?.contains { $0.contains(".import-") && $0.hasSuffix("-open") } ?? false
    }

    @Test func anInterruptedDemoTakesItsFolderAlong() async throws {
        let folder = NSTemporaryDirectory() + "InterruptionTests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder + "/within", withIntermediateDirectories: true)
        await #expect(processExitsWith: .signal(SIGTERM)) { [folder = folder as String] in
            Interruption.install()
            Interruption.removeAtEnd(folder)
            kill(getpid(), SIGTERM)
            while true { sleep(1) }
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
