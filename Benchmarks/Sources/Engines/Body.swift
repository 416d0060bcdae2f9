// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

/// Where a body is.
public struct Position: ValueComponent {
    var x, y, z: Float
}

/// How fast a body is.
public struct Velocity: ValueComponent {
    var x, y, z: Float
}

/// What changes the velocity of a body; few have one.
public struct Thrust: ValueComponent {
    var x, y, z: Float
}

/// What bodies get and lose again.
public struct Charge: ValueComponent {
    var value: Int64
}

/// A large component: where the joints of a body are.
public struct Joints: ValueComponent {
    var first = SIMD8<Double>.zero
    var second = SIMD8<Double>.zero
    var third = SIMD8<Double>.zero
    var count: Int64 = 0
}

/// The bodies that engines start with, the same in all of them.
public struct BodyInput: Sendable {
    /// The seconds of a tick.
    static let tick: Float = 0.01

    let positions: [Position]
    let velocities: [Velocity]
    /// The bodies with a thrust, one of ten, ascending.
    let driven: [Int]
    let thrusts: [Thrust]
    /// All bodies in an order at random.
    let order: [Int]

    /// Makes bodies.
    public init(count: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func number() -> Float { Float.random(in: -1..<1, using: &random) }
        positions = (0..<count).map { _ in Position(x: number(), y: number(), z: number()) }
        velocities = (0..<count).map { _ in Velocity(x: number(), y: number(), z: number()) }
        driven = (0..<count).filter { _ in Int.random(in: 0..<10, using: &random) == 0 }
        thrusts = driven.map { _ in Thrust(x: number(), y: number(), z: number()) }
        order = (0..<count).shuffled(using: &random)
    }
}

/// What is done with the bodies, in this order.
public enum BodyStep: String, CaseIterable, Sendable {
    /// All bodies at once, of arrays.
    case spawnAll = "make all bodies of two arrays"
    /// All bodies, one by one.
    case spawn = "make the bodies one by one"
    /// A tick when many ticks came before.
    case move = "position += velocity x dt"
    /// A tick for the bodies with a thrust.
    case steer = "three types, the third on 10 %"
    /// A component for each body, at random.
    case add = "add a component, at random"
    /// A value of each body, at random.
    case get = "get a component, at random"
    /// A component of 200 bytes and more for one of sixteen bodies, at random.
    case setLarge = "set a component of 256 bytes, at random"
    /// Every second of the components that were added.
    case remove = "remove a component, at random"
    /// A save after each position has changed.
    case saveAll = "save, all positions changed"
    /// The first tick after a save.
    case moveSaved = "the first tick after a save"
    /// A save after a position in each hundredth chunk has changed.
    case saveFew = "save, 1 % of the chunks changed"
    /// Opening the file, and a tick.
    case open = "open the file, first tick"
    /// A tick of a file that was just opened.
    case moveOpened = "position += velocity x dt, file just opened"

    /// Whether the step is one action, and not one for each body.
    public var isWhole: Bool {
        switch self {
        case .saveAll, .saveFew, .open: true
        default: false
        }
    }
}

/// Bodies in some memory and some file.
public protocol BodyEngine: SendableMetatype {
    /// The name in tables.
    static var name: String { get }

    /// Prepares a new file.
    init(path: String, input: BodyInput) throws

    /// Takes a step.
    ///
    /// - Returns: The seconds; of steps that are not whole, for one body.
    func run(_ step: BodyStep) throws -> Double

    /// A sum over all values.
    func checksum() throws -> Checksum

    /// Closes the file.
    func close() throws
}

extension BodyStep {
    /// The ticks that are timed together.
    static let ticks = 10
    /// One body of so many has joints.
    static let jointedShare = 16
}

extension Checksum {
    /// Adds the bits of three numbers.
    mutating func add(_ x: Float, _ y: Float, _ z: Float) {
        add(Int64(x.bitPattern))
        add(Int64(y.bitPattern))
        add(Int64(z.bitPattern))
    }
}
