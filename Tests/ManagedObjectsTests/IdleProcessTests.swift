// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Synchronization
import Testing

/// A process that has read and waits, while another one saves: the file must not grow for it.
@Suite struct IdleProcessTests {
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

        /// Fills the store, runs a body and makes 1,000 saves of ten updates each; returns the
        /// size.
        func grow(_ prepare: () -> Void) throws -> Int {
            let context = try container().newBackgroundContext()
            let identifiers = try context.performAndWait {
                let items = (0..<2_000).map { number in
                    context.make("Item", ["name": "item \(number)", "number": number])
                }
                try context.save()
                return items.map(\.objectID)
            }
            prepare()
            var position = 0
            for round in 0..<1_000 {
                try context.performAndWait {
                    for _ in 0..<10 {
                        position = (position + 379) % identifiers.count
                        context.object(with: identifiers[position]).setValue(
                            round + 10_000, forKey: "number")
                    }
                    try context.save()
                }
            }
            let attributes = try FileManager.default.attributesOfItem(atPath: store.path)
            return (attributes[.size] as? NSNumber)?.intValue ?? 0
        }
    }

    /// The body of the process that waits: it reads, lets go and stands in `read`.
    @MainActor
    private static func wait(_ place: Place) throws {
        let context = try place.container().viewContext
        let items = try context.all("Item")
        guard items.map({ $0.number("number") }) == Array(0..<2_000) else { exit(2) }
        context.reset()
        let pipe = open(place.pipe, O_RDONLY)
        _ = FileManager.default.createFile(atPath: place.ready, contents: nil)
        var byte: UInt8 = 0
        guard Foundation.read(pipe, &byte, 1) == 1 else { exit(3) }
        // It reads on where the others are by now.
        let now = try context.all("Item").map { $0.number("number") }
        exit(now.filter { $0 >= 10_000 }.count > 1_000 ? 0 : 4)
    }

    @Test func a_process_that_waits_after_a_reset_does_not_make_the_file_grow() async throws {
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
            [folder = beside.folder as String] in
            let place = Place(folder: folder)
            while !FileManager.default.fileExists(atPath: place.mayRead) {
                usleep(1_000)
            }
            try await IdleProcessTests.wait(place)
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
            let expected = try alone.grow {}
            let size = try beside.grow {
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
