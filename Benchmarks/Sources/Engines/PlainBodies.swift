// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData
import Foundation

/// Bodies in arrays as a C program has them, and in a file that holds the same bytes.
public final class PlainBodies: BodyEngine {
    /// The name.
    public static let name = "arrays"

    private let path: String
    private let input: BodyInput
    private let count: Int
    private var file: Int32 = -1
    private var positions: UnsafeMutablePointer<Position>
    private var velocities: UnsafeMutablePointer<Velocity>
    private let thrusts: UnsafeMutablePointer<Thrust>
    private let charges: UnsafeMutablePointer<Charge>
    private let hasCharge: UnsafeMutablePointer<Bool>
    private var sum: Float = 0

    /// Opens a file, which is made.
    public init(path: String, input: BodyInput) throws {
        self.path = path
        self.input = input
        count = input.positions.count
        positions = .allocate(capacity: count)
        velocities = .allocate(capacity: count)
        thrusts = .allocate(capacity: count)
        thrusts.initialize(repeating: Thrust(x: 0, y: 0, z: 0), count: count)
        charges = .allocate(capacity: count)
        charges.initialize(repeating: Charge(value: 0), count: count)
        hasCharge = .allocate(capacity: count)
        hasCharge.initialize(repeating: false, count: count)
        for (place, body) in input.driven.enumerated() { thrusts[body] = input.thrusts[place] }
        try openFile()
    }

    deinit {
        positions.deallocate()
        velocities.deallocate()
        thrusts.deallocate()
        charges.deallocate()
        hasCharge.deallocate()
        if file >= 0 { Foundation.close(file) }
    }

    private func openFile() throws {
        file = Foundation.open(path, O_RDWR | O_CREAT, 0o600)
        guard file >= 0 else { throw BenchmarkError("\(path) cannot be opened") }
    }

    private var positionBytes: Int { count * MemoryLayout<Position>.stride }

    /// Takes a step.
    public func run(_ step: BodyStep) throws -> Double {
        switch step {
        case .spawnAll: return try spawnAll() / Double(count)
        case .spawn: return Stopwatch.time { spawnOneByOne() }.seconds / Double(count)
        case .move, .moveOpened: return moveOften() / Double(BodyStep.ticks * count)
        case .steer: return Stopwatch.time { steer() }.seconds / Double(input.driven.count)
        case .add: return Stopwatch.time { add() }.seconds / Double(count)
        case .get: return Stopwatch.time { get() }.seconds / Double(count)
        case .setLarge: return setLarge()
        case .remove: return Stopwatch.time { remove() }.seconds / Double((count + 1) / 2)
        case .saveAll:
            move()
            return try Stopwatch.time { try save(0..<count) }.seconds
        case .moveSaved: return Stopwatch.time { move() }.seconds / Double(count)
        case .saveFew: return try saveFew()
        case .open:
            try close()
            return try Stopwatch.time { try load() }.seconds
        }
    }

    private func spawnAll() throws -> Double {
        positions.deallocate()
        velocities.deallocate()
        let seconds = Stopwatch.time {
            positions = .allocate(capacity: count)
            velocities = .allocate(capacity: count)
            input.positions.withUnsafeBufferPointer {
                if let start = $0.baseAddress { positions.initialize(from: start, count: count) }
            }
            input.velocities.withUnsafeBufferPointer {
                if let start = $0.baseAddress { velocities.initialize(from: start, count: count) }
            }
        }.seconds
        try save(0..<count)
        try write(velocities, positionBytes, at: positionBytes)
        return seconds
    }

    private func setLarge() -> Double {
        let count = max(1, count / BodyStep.jointedShare)
        let joints = UnsafeMutablePointer<Joints>.allocate(capacity: count)
        defer { joints.deallocate() }
        joints.initialize(repeating: Joints(), count: count)
        let order = input.order.filter { $0 < count }
        let seconds = Stopwatch.time {
            for (number, body) in order.enumerated() { joints[body] = Joints(count: Int64(number)) }
        }.seconds
        sum += Float(joints[count - 1].count)
        return seconds / Double(count)
    }

    private func spawnOneByOne() {
        let positions = UnsafeMutablePointer<Position>.allocate(capacity: count)
        let velocities = UnsafeMutablePointer<Velocity>.allocate(capacity: count)
        for body in 0..<count {
            (positions + body).initialize(to: input.positions[body])
            (velocities + body).initialize(to: input.velocities[body])
        }
        sum += positions[count - 1].x + velocities[count - 1].x
        positions.deallocate()
        velocities.deallocate()
    }

    private func moveOften() -> Double {
        move()
        return Stopwatch.time { for _ in 0..<BodyStep.ticks { move() } }.seconds
    }

    @inline(never)
    private func move() {
        let (positions, velocities) = (positions, velocities)
        for body in 0..<count {
            positions[body].x += velocities[body].x * BodyInput.tick
            positions[body].y += velocities[body].y * BodyInput.tick
            positions[body].z += velocities[body].z * BodyInput.tick
        }
    }

    @inline(never)
    private func steer() {
        let (positions, velocities, thrusts) = (positions, velocities, thrusts)
        for body in input.driven {
            positions[body].x += (velocities[body].x + thrusts[body].x) * BodyInput.tick
            positions[body].y += (velocities[body].y + thrusts[body].y) * BodyInput.tick
            positions[body].z += (velocities[body].z + thrusts[body].z) * BodyInput.tick
        }
    }

    private func add() {
        for (number, body) in input.order.enumerated() {
            charges[body] = Charge(value: Int64(number))
            hasCharge[body] = true
        }
    }

    private func get() {
        let positions = positions
        var sum: Float = 0
        for body in input.order { sum += positions[body].x }
        self.sum += sum
    }

    private func remove() {
        for place in stride(from: 0, to: count, by: 2) { hasCharge[input.order[place]] = false }
    }

    // MARK: The file

    private func save(_ bodies: Range<Int>) throws {
        let stride = MemoryLayout<Position>.stride
        try write(
            positions + bodies.lowerBound, bodies.count * stride, at: bodies.lowerBound * stride)
        guard fsync(file) == 0 else { throw BenchmarkError("\(path) cannot be synced") }
    }

    private func saveFew() throws -> Double {
        try save(0..<count)
        let rows = BodyChunks.rows
        for chunk in BodyChunks.few(count) { positions[chunk * rows].x += 1 }
        return try Stopwatch.time {
            let stride = MemoryLayout<Position>.stride
            for chunk in BodyChunks.few(count) {
                let bodies = chunk * rows..<min(count, (chunk + 1) * rows)
                try write(
                    positions + bodies.lowerBound, bodies.count * stride,
                    at: bodies.lowerBound * stride)
            }
            guard fsync(file) == 0 else { throw BenchmarkError("\(path) cannot be synced") }
        }.seconds
    }

    private func write(_ bytes: UnsafeRawPointer, _ size: Int, at offset: Int) throws {
        var done = 0
        while done < size {
            let part = pwrite(file, bytes + done, size - done, off_t(offset + done))
            guard part > 0 else { throw BenchmarkError("\(path) cannot be written") }
            done += part
        }
    }

    private func read(_ bytes: UnsafeMutableRawPointer, _ size: Int, at offset: Int) throws {
        var done = 0
        while done < size {
            let part = pread(file, bytes + done, size - done, off_t(offset + done))
            guard part > 0 else { throw BenchmarkError("\(path) cannot be read") }
            done += part
        }
    }

    private func load() throws {
        positions.deallocate()
        velocities.deallocate()
        positions = .allocate(capacity: count)
        velocities = .allocate(capacity: count)
        try openFile()
        try read(positions, positionBytes, at: 0)
        try read(velocities, positionBytes, at: positionBytes)
        move()
    }

    /// A sum over all values.
    public func checksum() -> Checksum {
        var result = Checksum()
        for body in 0..<count {
            result.add(positions[body].x, positions[body].y, positions[body].z)
            result.add(hasCharge[body] ? charges[body].value : -1)
        }
        result.add(Int64(sum.bitPattern))
        return result
    }

    /// Closes the file.
    public func close() throws {
        Foundation.close(file)
        file = -1
    }
}

/// The chunks that a save of few changes has to write.
enum BodyChunks {
    /// The bodies whose positions lie in one chunk of a column.
    static let rows = ChunkLayout(stride: MemoryLayout<Position>.stride).rows

    /// Each hundredth chunk of a number of bodies.
    static func few(_ count: Int) -> StrideTo<Int> {
        stride(from: 0, to: (count + rows - 1) / rows, by: 100)
    }
}
