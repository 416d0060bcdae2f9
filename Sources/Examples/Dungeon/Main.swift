// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Plays a game in the terminal; started again with the same file, it goes on.
///
/// `Dungeon [FILE]`, then lines of keys: `w`, `a`, `s` and `d` move, a space waits, `q` ends.
@main
struct Main {
    static func main() {
        let path = CommandLine.arguments.dropFirst().first ?? "dungeon.lode"
        guard let message = failure(ofPlaying: path) else { return }
        FileHandle.standardError.write(Data("Dungeon: \(message)\n".utf8))
        exit(1)
    }

    /// Plays until the keys end or the hero is dead.
    ///
    /// - Returns: Why the file could not be opened or a turn not be saved; nil if all went well. A
    ///   turn that is not saved has not been: another game of the same file may have been faster.
    static func failure(ofPlaying path: String) -> String? {
        do {
            try play(URL(fileURLWithPath: path))
            return nil
        } catch {
            return error.localizedDescription
        }
    }

    private static func play(_ url: URL) throws {
        let dungeon = try Dungeon(url: url)
        print(dungeon.drawing())
        while !dungeon.isOver, let keys = readLine(), keys != "q" {
            for key in keys { try dungeon.play(key) }
            print(dungeon.drawing())
        }
        if dungeon.isOver { print("The hero is dead.") }
    }
}
