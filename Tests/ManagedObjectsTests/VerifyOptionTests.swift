// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// A folder of its own for one test, deleted afterwards.
private final class TemporaryDirectory {
    let path = NSTemporaryDirectory() + "VerifyOptionTests-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Damaged files, opened by a program with and without `LodeVerifyOption`.
@Suite struct VerifyOptionTests {
    private static func open(_ url: URL, _ verify: String?) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(
            name: "Damaged", managedObjectModel: PeopleModel.make(isIndexed: true))
        let description = NSPersistentStoreDescription(url: url)
        description.setOption("none" as NSString, forKey: LodeDurabilityOption)
        if let verify { description.setOption(verify as NSString, forKey: LodeVerifyOption) }
        container.persistentStoreDescriptions = [description]
        if let error = load(container) { throw error }
        return container
    }

    /// A closed file with people, their departments and tags; some have long names.
    private static func makeFile(at url: URL, people: Int = 400) throws {
        let context = try open(url, nil).viewContext
        let departments = (0..<8).map { context.make("Department", ["name": "d\($0)"]) }
        let tags = (0..<12).map { context.make("Tag", ["name": "t\($0)"]) }
        for number in 0..<people {
            let name = String(repeating: "n\(number) ", count: number % 40 == 0 ? 600 : 3)
            let person = context.make("Person", ["name": name, "age": number % 90])
            person.setValue(departments[number % 8], forKey: "department")
            person.setValue([tags[number % 12], tags[number % 7]] as Set, forKey: "tags")
        }
        try context.save()
        for person in try context.all("Person", NSPredicate(format: "age > 60")) {
            context.delete(person)
        }
        try context.save()
    }

    /// Reads everything that a program would; returns how many objects it met.
    private static func readAll(_ container: NSPersistentContainer) throws -> Int {
        let context = container.newBackgroundContext()
        return try withExtendedLifetime(context) {
            var count = 0
            for entity in ["Person", "Department", "Tag"] {
                for object in try context.all(entity) {
                    count += object.text("name").isEmpty ? 0 : 1
                    count += object.dictionaryWithValues(forKeys: ["name"]).count
                }
            }
            count += try context.names("Person", "age > 10 AND department.name == 'd3'").count
            for tag in try context.all("Tag") { count += tag.many("people").count }
            return count
        }
    }

    @Test(arguments: ["pages", "records"]) func damage_is_an_error_and_never_a_signal(
        verify: String
    ) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path
        defer { withExtendedLifetime(folder) {} }
        await #expect(processExitsWith: .success) {
            [path = path as String, verify = verify as String] in
            let folder = URL(fileURLWithPath: path)
            let whole = folder.appendingPathComponent("whole.lode")
            try VerifyOptionTests.makeFile(at: whole)
            let healthy = try Data(contentsOf: whole)
            let expected = try VerifyOptionTests.readAll(VerifyOptionTests.open(whole, verify))
            var random = SeededGenerator(seed: verify == "pages" ? 5 : 6)
            var refused = 0
            for round in 0..<160 {
                let data = VerifyOptionTests.damaged(healthy, round, &random)
                let url = folder.appendingPathComponent("damaged \(round)")
                try data.write(to: url)
                do {
                    _ = try VerifyOptionTests.readAll(VerifyOptionTests.open(url, verify))
                } catch {
                    refused += 1
                }
                for suffix in ["", "-lock", "-open"] { unlink(url.path + suffix) }
            }
            guard refused > 60, expected > 800 else {
                print("\(refused) of 160 refused, \(expected) read")
                exit(1)
            }
            exit(0)
        }
    }

    /// Flips bytes anywhere or in headers of pages, or cuts the file.
    private static func damaged(
        _ data: Data, _ round: Int, _ random: inout SeededGenerator
    ) -> Data {
        if round % 10 == 9 { return data.prefix(Int.random(in: 0..<data.count, using: &random)) }
        var data = data
        for _ in 0..<(round % 3 == 0 ? 1 : 8) {
            var offset = Int.random(in: 0..<data.count, using: &random)
            // Mostly in headers and tables of positions.
            if round % 2 == 0 {
                offset = offset & ~0xFFF | Int.random(in: 0..<64, using: &random)
            }
            data[min(offset, data.count - 1)] ^= UInt8.random(in: 1...255, using: &random)
        }
        return data
    }

    /// Changes the kind of every page but the headers: reading any of them would crash.
    private func flipPages(of url: URL) throws {
        var data = try Data(contentsOf: url)
        for offset in stride(from: 2 * 4_096 + 10, to: data.count, by: 4_096) {
            data[offset] ^= 0x40
        }
        try data.write(to: url)
    }

    @Test func a_file_that_may_have_lost_pages_is_checked_by_itself() async throws {
        let folder = try TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let url = URL(fileURLWithPath: folder.path).appendingPathComponent("killed.lode")
        let path = url.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let container = try VerifyOptionTests.open(URL(fileURLWithPath: path), nil)
            container.viewContext.make("Person", ["name": "Ann"])
            try container.viewContext.save()
            _ = kill(getpid(), SIGKILL)
        }
        let mark = path + "-open"
        #expect(FileManager.default.fileExists(atPath: mark))
        // The mark of an earlier run of the machine that ended while a process wrote without syncs.
        try "00000000-1111-2222-3333-444444444444 none\n".write(
            toFile: mark, atomically: false, encoding: .utf8)
        let whole = try Data(contentsOf: url)
        try flipPages(of: url)
        #expect(code { _ = try VerifyOptionTests.open(url, nil) } == 134070)
        #expect(FileManager.default.fileExists(atPath: mark))
        try whole.write(to: url)
        do {
            let container = try VerifyOptionTests.open(url, nil)
            #expect(try container.viewContext.names("Person", "TRUEPREDICATE") == ["Ann"])
        }
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test(arguments: ["pages", "records"]) func a_closed_file_is_checked_when_asked(
        verify: String
    ) throws {
        let folder = try TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let url = URL(fileURLWithPath: folder.path).appendingPathComponent("closed.lode")
        try VerifyOptionTests.makeFile(at: url, people: 20)
        #expect(try VerifyOptionTests.readAll(VerifyOptionTests.open(url, verify)) > 50)
        try flipPages(of: url)
        #expect(code { _ = try VerifyOptionTests.open(url, verify) } == 134070)
    }

    @Test func records_are_compared_with_their_checksums_when_asked() throws {
        let folder = try TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let url = URL(fileURLWithPath: folder.path).appendingPathComponent("changed.lode")
        do {
            let context = try VerifyOptionTests.open(url, nil).viewContext
            context.make("Tag", ["name": "Let There Be Rock"])
            try context.save()
        }
        var data = try Data(contentsOf: url)
        while let range = data.range(of: Data("Let There Be Rock".utf8)) {
            data[range.lowerBound] = UInt8(ascii: "M")
        }
        try data.write(to: url)
        #expect(code { _ = try VerifyOptionTests.open(url, "pages") } == nil)
        #expect(code { _ = try VerifyOptionTests.open(url, "records") } == 134070)
    }

    @Test(arguments: ["page", "Records", "true", ""]) func other_values_are_refused(
        verify: String
    ) throws {
        let folder = try TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let url = URL(fileURLWithPath: folder.path).appendingPathComponent("a.lode")
        let error = #expect(throws: CocoaError.self) { try VerifyOptionTests.open(url, verify) }
        #expect(error?.errorCode == 134080)
        let text = error?.localizedDescription ?? ""
        #expect(text.contains("LodeVerifyOption is \"\(verify)\""), "\(text)")
        #expect(text.contains("\"none\", \"afterCrash\", \"pages\" or \"records\""), "\(text)")
        #expect(!FileManager.default.fileExists(atPath: url.path))
        // A file is not opened for its metadata either.
        do { _ = try VerifyOptionTests.open(url, "afterCrash") }
        let metadata = #expect(throws: CocoaError.self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(
                type: .sqlite, at: url, options: [LodeVerifyOption: verify])
        }
        #expect(metadata?.errorCode == 134080)
    }

    @Test func a_number_is_refused() throws {
        let folder = try TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let url = URL(fileURLWithPath: folder.path).appendingPathComponent("a.lode")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: PeopleModel.make())
        let number = code {
            _ = try coordinator.addPersistentStore(
                type: .sqlite, at: url, options: [LodeVerifyOption: 1])
        }
        #expect(number == 134080)
    }
}
