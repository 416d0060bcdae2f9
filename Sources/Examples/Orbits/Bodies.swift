// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Where a body is; the sun is at zero.
struct Position: ValueComponent, Equatable {
    var x, y: Float
}

/// How far a body moves in a unit of time.
struct Velocity: ValueComponent, Equatable {
    var x, y: Float
}

/// What a body weighs.
struct Mass: ValueComponent, Equatable {
    var amount: Float
}

/// The time of the simulation, a value of the world: so it is saved with the bodies.
struct Clock: ValueComponent, Equatable {
    var tick: Int
}

extension World {
    /// Makes bodies on orbits that are nearly circles, the same ones each time.
    ///
    /// They begin in three straight arms. As the inner ones go round faster, the arms wind up.
    func spawnBodies(_ count: Int) {
        var random = SplitMix(state: 1)
        var positions: [Position] = []
        var velocities: [Velocity] = []
        var masses: [Mass] = []
        for _ in 0..<count {
            let distance = Float.random(in: 0.2..<1, using: &random)
            let spread = Float.random(in: -1..<1, using: &random)
            let arm = Float(Int.random(in: 0..<3, using: &random))
            let angle = arm * 2 * Float.pi / 3 + spread * spread * spread
            let speed = Float.random(in: 0.98..<1.02, using: &random) / distance.squareRoot()
            positions.append(Position(x: distance * cos(angle), y: distance * sin(angle)))
            velocities.append(Velocity(x: -speed * sin(angle), y: speed * cos(angle)))
            masses.append(Mass(amount: Float.random(in: 0.1..<1, using: &random)))
        }
        spawnAll(positions, velocities, masses)
    }
}

/// A generator of numbers that are the same in each run.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
