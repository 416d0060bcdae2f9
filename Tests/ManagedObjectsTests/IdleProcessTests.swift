// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Synchronization
import Testing

/// A process that has read and waits, while another one saves: the file must not grow for it.
@Suite(.serialized) struct IdleProcessTests {
    /// How the process waits.
    enum Waiting: String, CaseIterable {
        /// Its context, used directly by a main thread that stands in `read`, was reset.
        case reset
        /// Its context has a queue of its own.
        case privateQueue
        /// Its context belongs to the main queue, which is served.
        case mainQueue
    }

    private static let count = 60_000
    /// How many objects the process that waits has read.
    private static let readCount = 500

    /// The folder of a test: the store, a file that says the process has read, and a pipe that ends
    /// its waiting.
    struct Place {
        let folder: String

        var store: URL { URL(fileURLWithPath: folder + "/idle.lode") }
        var mayRead: String { folder + "/may-read" }
        var ready: String { folder + "/ready" }
        var pipe: String { folder + "/pipe" }

        static func make() throws -> Place {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("IdleProcessTests-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            return Place(folder: folder)
        }

        func container() throws -> NSPersistentContainer {
            let container = NSPersistentContainer(
                name: "Idle", managedObjectModel: ItemModel.make())
            let description = NSPersistentStoreDescription(url: store)
            description.setOption("none" as NSString, forKey: LodeDurabilityOption)
            container.persistentStoreDescriptions = [description]
            if let error = load(container) { throw error }
            return container
        }

        /// Fills the store, runs a body and makes 1,000 saves of two updates each, with pauses of
        /// so many microseconds in between; returns the size.
        func grow(pause: useconds_t = 0, _ prepare: () -> Void = {}) throws -> Int {
            let context = try container().newBackgroundContext()
            let identifiers = try context.performAndWait {
                let items = (0..<IdleProcessTests.count).map { number in
                    context.make("Item", ["name": "item \(number)", "number": number])
                }
                try context.save()
                return items.map(\.objectID)
            }
            prepare()
            var position = 0
            for round in 0..<1_000 {
                try context.performAndWait {
                    for _ in 0..<2 {
                        position = (position + 7_919) % identifiers.count
                        context.object(with: identifiers[position]).setValue(
                            -round - 1, forKey: "number")
                    }
                    try context.save()
                }
                usleep(pause)
            }
            let attributes = try FileManager.default.attributesOfItem(atPath: store.path)
            return (attributes[.size] as? NSNumber)?.intValue ?? 0
        }
    }

    /// The body of the process that waits: it reads, says so and is idle.
    @MainActor
    private static func wait(_ place: Place, _ waiting: Waiting) async throws {
        let container = try place.container()
        let context =
            waiting == .privateQueue ? container.newBackgroundContext() : container.viewContext
        let items = try context.performAndWait { try Array(context.all("Item").prefix(readCount)) }
        guard read(items, context) == Array(0..<readCount) else { exit(2) }
        if waiting == .reset { context.reset() }
        let pipe = open(place.pipe, O_RDONLY)
        _ = FileManager.default.createFile(atPath: place.ready, contents: nil)
        switch waiting {
        case .reset, .privateQueue: guard isWoken(pipe) else { exit(3) }
        case .mainQueue:
            guard await Task.detached(operation: { isWoken(pipe) }).value else { exit(3) }
        }
        // What was read stays, and the next fetch sees where the others are by now.
        if waiting != .reset, read(items, context) != Array(0..<readCount) { exit(4) }
        context.performAndWait { context.reset() }
        let now = read(try context.performAndWait { try context.all("Item") }, context)
        exit(now.filter { $0 < 0 }.count == 2_000 ? 0 : 5)
    }

    @MainActor
    private static func read(
        _ items: [NSManagedObject], _ context: NSManagedObjectContext
    ) -> [Int] {
        context.performAndWait { items.map { $0.number("number") } }
    }

    private nonisolated static func isWoken(_ pipe: Int32) -> Bool {
        var byte: UInt8 = 0
        return Foundation.read(pipe, &byte, 1) == 1
    }

    @Test(arguments: Waiting.allCases)
    func a_process_that_waits_does_not_make_the_file_grow(_ waiting: Waiting) async throws {
        let alone = try Place.make()
        let beside = try Place.make()
        defer {
            for place in [alone, beside] {
                try? FileManager.default.removeItem(atPath: place.folder)
            }
        }
        mkfifo(beside.pipe, 0o600)
        let pipe = open(beside.pipe, O_RDWR)
        defer { close(pipe) }
        let saver = Saver(alone, beside, pipe)
        saver.start()
        await #expect(processExitsWith: .success) {
            [folder = beside.folder as String, name = waiting.rawValue as String] in
            let place = Place(folder: folder)
            while !FileManager.default.fileExists(atPath: place.mayRead) {
                usleep(1_000)
            }
            let waiting = try #require(Waiting(rawValue: name))
            try await IdleProcessTests.wait(place, waiting)
        }
        let (expected, size) = saver.wait()
        try #require(expected > 0)
        let ratio = Double(size) / Double(expected)
        #expect(ratio < 1.3, "the file has \(size) bytes instead of \(expected)")
    }
}

/// Makes the saves, alone first, then beside the process.
private final class Saver: Sendable {
    private let alone: IdleProcessTests.Place
    private let beside: IdleProcessTests.Place
    private let pipe: Int32
    private let sizes = Mutex<(alone: Int, beside: Int)?>(nil)

    init(_ alone: IdleProcessTests.Place, _ beside: IdleProcessTests.Place, _ pipe: Int32) {
        self.alone = alone
        self.beside = beside
        self.pipe = pipe
    }

    /// Begins, on a thread of its own: waiting for another process takes one that tasks share.
    func start() { Thread { self.run() }.start() }

    /// Waits for the sizes of both files; zeros where something failed.
    func wait() -> (alone: Int, beside: Int) {
        while true {
            if let found = sizes.withLock({ $0 }) { return found }
            usleep(1_000)
        }
    }

    private func run() {
        var byte: UInt8 = 1
        defer { _ = write(pipe, &byte, 1) }
        do {
            let expected = try alone.grow()
            let size = try beside.grow(pause: 4_000) {
                let files = FileManager.default
                _ = files.createFile(atPath: beside.mayRead, contents: nil)
                while !files.fileExists(atPath: beside.ready) { usleep(1_000) }
            }
            sizes.withLock { $0 = (expected, size) }
        } catch {
            Issue.record(error)
            sizes.withLock { $0 = (0, 0) }
        }
    }
}
