// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import LibraryImport

private let files = ["Artist.csv": "ArtistId,Name\n1,AC/DC\n2,Accept\n"]

/// What an import that was killed leaves, and who clears it away.
@Suite struct AbandonedFileTests {
    private let folder = NSTemporaryDirectory() + "AbandonedFileTests-\(UUID().uuidString)"

    /// Kills a process at its first progress report of the second pass: its file exists then.
    private func killAnImport(isStrict: Bool = false) async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [folder = folder as String, isStrict = isStrict as Bool] in
            _ = try Workplace(folder: folder).load(files, isStrict: isStrict) { progress in
                if progress.phase == .objects { _ = kill(getpid(), SIGKILL) }
            }
        }
    }

    private func place() throws -> Workplace {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        return Workplace(folder: folder)
    }

    @Test func theNextImportRemovesThem() async throws {
        let place = try place()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        await killAnImport()
        let left = try place.leftovers()
        #expect(left.count == 4, "\(left)")
        #expect(left.allSatisfy { $0.hasPrefix(".library.lode.import-") })
        #expect(
            Set(left.map { $0.split(separator: "-").last }).isSuperset(of: [
                "lock", "open", "owner",
            ]))
        #expect(try place.load(files).counts == ["Artist 2/0/0/0"])
        #expect(try place.leftovers() == ["library.lode"])
        try place.expect(["Artist artistId=1 name=AC/DC", "Artist artistId=2 name=Accept"])
    }

    @Test func theCopyOfAStrictImportGoesAsWell() async throws {
        let place = try place()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try place.load(files)
        await killAnImport(isStrict: true)
        #expect(try place.leftovers().count == 4)
        #expect(try place.load(files).counts == ["Artist 0/0/2/0"])
        #expect(try place.leftovers() == ["library.lode"])
    }

    @Test func filesInUseStay() throws {
        let place = try place()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = try StoreFile(besides: place.store)
        try Data("at work".utf8).write(to: file.url)
        #expect(try place.load(files).counts == ["Artist 2/0/0/0"])
        #expect(try Data(contentsOf: file.url) == Data("at work".utf8))
        file.remove()
        #expect(try place.leftovers() == ["library.lode"])
    }

    @Test func filesOfOthersStay() throws {
        let place = try place()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let identifier = UUID().uuidString
        let names = [
            ".library.lode.import-mine-owner", ".library.lode.import-\(identifier)",
            ".other.lode.import-\(identifier)-owner", "library.lode.import-\(identifier)-owner",
        ]
        for name in names { try Data().write(to: URL(fileURLWithPath: folder + "/" + name)) }
        _ = try place.load(files)
        #expect(try place.leftovers() == (names + ["library.lode"]).sorted())
    }
}
