// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

/// What is written on a body: no two are the same.
struct Label: CodableComponent, Equatable {
    var text: String
    var level: Int64
}

/// What is done with the labels, in this order.
public enum LabelStep: String, CaseIterable, Sendable {
    /// A value for each body, at random.
    case make = "make a value, at random"
    /// A save of all of them.
    case saveMade = "its share of the save"
    /// A value of each body, at random.
    case get = "get a value, at random"
    /// Another value for each body, at random.
    case set = "set another value, at random"
    /// A save of all of them.
    case saveSet = "its share of this save"
    /// A value of each body at random, after the file was opened.
    case getOpened = "get a value, file just opened"
}

/// Where values of bodies are kept.
public enum LabelPlace: String, CaseIterable, Sendable {
    /// In codable components.
    case coded = "codable component"
    /// In value components, which hold the numbers alone.
    case value = "value component"
    /// In a dictionary by the bodies' IDs, without a file.
    case dictionary = "Dictionary"
}

/// Values of bodies, in one of several places.
public final class CodedBodies {
    private let path: String
    private let place: LabelPlace
    private let order: [Int]
    private var container: NSPersistentContainer
    private var context: NSManagedObjectContext
    private var world: World
    /// The IDs of the bodies, in the order at random.
    private var objects: [GameObjectID] = []
    private var labels: [GameObjectID: Label] = [:]

    /// Makes a file with bodies that have no labels yet.
    public init(path: String, place: LabelPlace, input: BodyInput) throws {
        self.path = path
        self.place = place
        order = input.order
        (container, context, world) = try LodeBodies.open(path)
        try context.performAndWait {
            let ids = world.spawnAll(input.positions)
            objects = order.map { ids[$0] }
            try context.save()
        }
    }

    /// Takes a step; returns the seconds for one body, nil where the place has no file.
    public func run(_ step: LabelStep) throws -> Double? {
        if place == .dictionary, [.saveMade, .saveSet, .getOpened].contains(step) { return nil }
        if step == .getOpened {
            try container.close()
            (container, context, world) = try LodeBodies.open(path)
        }
        let seconds = try context.performAndWait {
            switch step {
            case .make: Stopwatch.time { write(round: 1) }.seconds
            case .set: Stopwatch.time { write(round: 2) }.seconds
            case .saveMade, .saveSet: try Stopwatch.time { try context.save() }.seconds
            case .get: try check(read(), round: 1)
            case .getOpened: try check(read(), round: 2)
            }
        }
        return seconds / Double(objects.count)
    }

    private func write(round: Int64) {
        let (world, objects) = (world, objects)
        for (number, object) in objects.enumerated() {
            let level = Int64(number) * round
            switch place {
            case .coded: world[object, Label.self] = Label(text: "body \(level)", level: level)
            case .value: world[object, Charge.self] = Charge(value: level)
            case .dictionary: labels[object] = Label(text: "body \(level)", level: level)
            }
        }
    }

    private func read() -> (sum: Int64, seconds: Double) {
        let (world, objects) = (world, objects)
        let (sum, seconds) = Stopwatch.time {
            var sum: Int64 = 0
            for object in objects {
                switch place {
                case .coded: sum += world[object, Label.self]?.level ?? 0
                case .value: sum += world[object, Charge.self]?.value ?? 0
                case .dictionary: sum += labels[object]?.level ?? 0
                }
            }
            return sum
        }
        return (sum, seconds)
    }

    private func check(_ read: (sum: Int64, seconds: Double), round: Int64) throws -> Double {
        let count = Int64(objects.count)
        guard read.sum == round * count * (count - 1) / 2 else {
            throw BenchmarkError("\(place.rawValue): values are lost; the figures are void")
        }
        return read.seconds
    }

    /// Closes the file.
    public func close() throws { try container.close() }
}
