// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing
import _TestSupport

@testable import Orbits

/// All values of a body.
private struct Body: Equatable {
    let object: GameObjectID
    let position: Position
    let velocity: Velocity
    let mass: Mass
}

extension Simulation {
    fileprivate var bodies: [Body] {
        var result: [Body] = []
        world.query(GameObjectID.self, Position.self, Velocity.self, Mass.self).forEach {
            result.append(Body(object: $0, position: $1, velocity: $2, mass: $3))
        }
        return result
    }
}

@Suite struct SimulationTests {
    @Test func a_file_that_is_opened_again_goes_on_as_if_it_had_never_been_closed() throws {
        try withTemporaryDirectory { directory in
            let folder = URL(fileURLWithPath: directory)
            let (one, two) = (
                folder.appendingPathComponent("1.lode"), folder.appendingPathComponent("2.lode")
            )
            let whole = try Simulation(url: one, bodies: 500)
            let start = whole.bodies
            #expect(start.count == 500)
            try whole.run(ticks: 20, savingEvery: 7)
            for _ in 0..<2 { try Simulation(url: two, bodies: 500).run(ticks: 10, savingEvery: 4) }
            let parts = try Simulation(url: two, bodies: 500)
            #expect(whole.tick == 20)
            #expect(parts.tick == 20)
            #expect(whole.bodies == parts.bodies)
            #expect(whole.bodies != start)
        }
    }

    @Test func bodies_without_mass_are_gone() throws {
        try withTemporaryDirectory { directory in
            let url = URL(fileURLWithPath: directory).appendingPathComponent("orbits.lode")
            let simulation = try Simulation(url: url, bodies: 100)
            let object = try #require(simulation.bodies.first?.object)
            simulation.world[object, Mass.self]?.amount = 0
            try simulation.run(ticks: 1, savingEvery: 1)
            #expect(!simulation.world.isAlive(object))
            #expect(try Simulation(url: url, bodies: 100).bodies.count == 99)
        }
    }

    @Test func the_picture_shows_the_bodies() throws {
        try withTemporaryDirectory { directory in
            let url = URL(fileURLWithPath: directory)
            let simulation = try Simulation(url: url.appendingPathComponent("a.lode"), bodies: 50)
            let picture = url.appendingPathComponent("a.svg")
            try simulation.draw(to: picture)
            let text = try String(contentsOf: picture, encoding: .utf8)
            #expect(text.hasPrefix("<svg "))
            #expect(text.hasSuffix("</svg>\n"))
            #expect(text.components(separatedBy: "M").count == 51)
            let few = simulation.drawing(upTo: 10)
            #expect(few.components(separatedBy: "M").count == 11)
        }
    }

    /// All numbers of a picture, which are whole.
    private func numbers(in picture: String) -> [Int] {
        picture.split { !"-0123456789".contains($0) }.compactMap { Int($0) }
    }

    @Test func the_readme_shows_the_picture_that_the_program_draws() throws {
        try withTemporaryDirectory { directory in
            let url = URL(fileURLWithPath: directory).appendingPathComponent("orbits.lode")
            let simulation = try Simulation(url: url, bodies: 2_400)
            try simulation.run(ticks: 500, savingEvery: 100)
            let drawn = numbers(in: simulation.drawing())
            let path = "\(packageRoot())/Sources/Lode/Lode.docc/Orbits.svg"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.utf8.count < 60_000)
            let shown = numbers(in: text)
            #expect(shown.count > 4 * 2_400)
            #expect(drawn.count == shown.count)
            // Another C library may round sines in another way, so a place may be off by one.
            let differing = zip(drawn, shown).filter { abs($0 - $1) > 1 }.count
            #expect(differing == 0, "`Orbits orbits.lode 500 2400` draws it anew")
            let readme = try String(contentsOfFile: "\(packageRoot())/README.md", encoding: .utf8)
            #expect(readme.contains("(Sources/Lode/Lode.docc/Orbits.svg)"))
        }
    }
}
