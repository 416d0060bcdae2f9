// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Runs the simulation of a file for some ticks, and draws it.
///
/// `Orbits [FILE [TICKS [BODIES]]]`; started again with the same file, it goes on.
@main
struct Main {
    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        let url = URL(fileURLWithPath: words.first ?? "orbits.lode")
        let numbers = words.dropFirst().compactMap { Int($0) }
        let simulation = try Simulation(url: url, bodies: numbers.dropFirst().first ?? 100_000)
        print("tick \(simulation.tick), \(simulation.world.count) bodies")
        try simulation.run(ticks: numbers.first ?? 1_000, savingEvery: 100)
        print("tick \(simulation.tick), \(simulation.world.count) bodies")
        let picture = url.deletingPathExtension().appendingPathExtension("svg")
        try simulation.draw(to: picture)
        print(picture.path)
    }
}
