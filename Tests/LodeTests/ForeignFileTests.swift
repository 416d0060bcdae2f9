// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing
import _TestSupport

/// Files from elsewhere, opened with `LodeVerifyOption` as `pages`.
@Suite struct ForeignFileTests {
    @Test func a_healthy_file_is_read_and_written() throws {
        try withTemporaryDirectory { path throws in
            let url = URL(fileURLWithPath: path + "/healthy.lode")
            try ForeignFile.make(at: url)
            #expect(try ForeignFile.use(url, verify: "records") > 10_000)
            #expect(try ForeignFile.use(url) > 10_000)
        }
    }

    /// A copy that ends the process, or is read for ever, ends the test of its batch.
    @Test(arguments: 0..<4) func no_damage_ends_the_process(batch: Int) async throws {
        let size = 250
        try await withTemporaryDirectory { path async throws in
            let healthy = path + "/healthy.lode"
            try ForeignFile.make(at: URL(fileURLWithPath: healthy))
            let seed = SeededGenerator(seed: 2_026).seed
            await #expect(processExitsWith: .success) {
                [
                    path = path as String, seed = seed as UInt64, batch = batch as Int,
                    size = size as Int
                ] in
                let outcome = try ForeignFile.tryMutants(
                    of: URL(fileURLWithPath: path + "/healthy.lode"),
                    in: URL(fileURLWithPath: path), seed: seed, batch * size..<(batch + 1) * size)
                // Neither is the file refused whatever was done to it, nor is nothing found.
                #expect(outcome.refused > size / 4)
                #expect(outcome.answered > size / 10)
                try Data("done: \(outcome)".utf8).write(
                    to: URL(fileURLWithPath: path + "/current"))
            }
            let last = try String(contentsOfFile: path + "/current", encoding: .utf8)
            #expect(last.hasPrefix("done"), "seed \(seed), copy \(last)")
        }
    }
}
