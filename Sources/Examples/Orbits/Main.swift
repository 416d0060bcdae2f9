// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Runs the simulation of a file for some ticks, and draws it.
///
/// `Orbits [FILE [TICKS [BODIES]]]`; started again with the same file, it goes on.
@main
struct Main {
    static func main() {
        guard let message = failure(of: Array(CommandLine.arguments.dropFirst())) else { return }
        FileHandle.standardError.write(Data("Orbits: \(message)\n".utf8))
        exit(1)
    }

    /// Runs a simulation by the words of a command line.
    ///
    /// - Returns: Why it failed; nil if all went well.
    static func failure(of words: [String]) -> String? {
        let numbers = words.dropFirst().map { Int($0) ?? -1 }
        guard numbers.count < 3, numbers.allSatisfy({ $0 >= 0 }) else {
            return "usage: Orbits [FILE [TICKS [BODIES]]]"
        }
        do {
            let url = URL(fileURLWithPath: words.first ?? "orbits.lode")
            try run(url, ticks: numbers.first ?? 1_000, bodies: numbers.dropFirst().first)
            return nil
        } catch {
            return error.localizedDescription
        }
    }

    private static func run(_ url: URL, ticks: Int, bodies: Int?) throws {
        let simulation = try Simulation(url: url, bodies: bodies ?? 100_000)
        print("tick \(simulation.tick), \(simulation.world.count) bodies")
        try simulation.run(ticks: ticks, savingEvery: 100)
        print("tick \(simulation.tick), \(simulation.world.count) bodies")
        let picture = url.deletingPathExtension().appendingPathExtension("svg")
        try simulation.draw(to: picture)
        print(picture.path)
    }
}
