// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import LMDB

/// When the pages of a file are checked that was not closed.
@Suite struct MarkContentTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        let environment = try scratch.environment()
        let objects = try environment.database("objects", .integerKey)
        try environment.write { try $0.put([1], for: 1, in: objects) }
    }

    private static let otherBoot = "00000000-1111-2222-3333-444444444444"

    /// The mark's content; nil for no mark.
    private var mark: String? {
        try? String(contentsOfFile: scratch.path("data.lode-open"), encoding: .utf8)
    }

    private func setMark(_ content: String) throws {
        try content.write(
            toFile: scratch.path("data.lode-open"), atomically: false, encoding: .utf8)
    }

    private func write(_ environment: Environment, _ durability: Durability) throws {
        let objects = try environment.database("objects", .integerKey)
        try environment.write(durability: durability) { try $0.put([2], for: 2, in: objects) }
    }

    @Test(arguments: [
        ("A full\n", false), ("A relaxed\n", false), ("A none\n", false), ("B full\n", false),
        ("B relaxed\n", false), ("B none\n", true), ("B full\nA none\n", false),
        ("A full\nB none\n", true), ("B none\nA full\n", true), ("- full\n", false),
        ("- none\n", true), ("", true), ("\n", true), ("A full", true), ("A full\nB", true),
        ("A  full\n", true), ("A sometimes\n", true), (" full\n", true),
        ("A full\n\n", true),
    ])
    func only_unsynced_commits_of_another_run_ask_for_a_check(
        _ content: String, _ asks: Bool
    ) {
        #expect(WriteMark.asksForCheck(Array(content.utf8), boot: "A") == asks)
    }

    @Test func without_a_boot_id_unsynced_commits_ask_for_a_check() {
        #expect(WriteMark.asksForCheck(Array("A none\n".utf8), boot: nil))
        #expect(WriteMark.asksForCheck(Array("- none\n".utf8), boot: nil))
        #expect(!WriteMark.asksForCheck(Array("A full\n".utf8), boot: nil))
        #expect(WriteMark.asksForCheck([], boot: nil))
    }

    @Test func the_boot_id_is_the_kernels() throws {
        let text = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        #expect(BootID.current == text.trimmingCharacters(in: .whitespacesAndNewlines))
        #expect(BootID.current?.count == 36)
    }

    @Test func a_mark_names_the_weakest_durability_once_it_is_used() throws {
        let boot = try #require(BootID.current)
        do {
            let environment = try scratch.environment()
            try write(environment, .full)
            #expect(mark == "\(boot) full\n")
            try write(environment, .none)
            #expect(mark == "\(boot) full\n\(boot) none\n")
            try write(environment, .relaxed)
            try write(environment, .none)
            #expect(mark == "\(boot) full\n\(boot) none\n")
            #expect(environment.unsynced.load(ordering: .relaxed) == environment.lastTransactionID)
            try environment.sync()
            #expect(environment.unsynced.load(ordering: .relaxed) == 0)
        }
        #expect(mark == nil)
    }

    @Test func a_killed_writer_without_syncs_leaves_a_whole_file() async throws {
        let path = scratch.path()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let environment = try Environment.open(
                at: path, options: testOptions { $0.durability = .none })
            let objects = try environment.database("objects", .integerKey)
            try environment.write { try $0.put([2], for: 2, in: objects) }
            withExtendedLifetime(environment) { _ = kill(getpid(), SIGKILL) }
        }
        #expect(try mark == "\(#require(BootID.current)) none\n")
        #expect(try !scratch.environment().wasLeftOpen)
        // Were the machine started anew, the file would have to be checked.
        try setMark("\(Self.otherBoot) none\n")
        #expect(try scratch.environment().wasLeftOpen)
    }

    @Test(arguments: [false, true]) func one_check_is_enough(_ isReadOnly: Bool) throws {
        try setMark("\(Self.otherBoot) none\n")
        do {
            let environment = try scratch.environment { $0.isReadOnly = isReadOnly }
            #expect(environment.wasLeftOpen)
            try environment.verifyPages()
            #expect(!environment.wasLeftOpen)
        }
        #expect(mark == nil)
        #expect(try !scratch.environment().wasLeftOpen)
    }

    @Test(arguments: ["", "\(otherBoot) none\n"])
    func a_writer_who_did_not_check_leaves_that_to_others(_ content: String) throws {
        try setMark(content)
        do {
            let environment = try scratch.environment()
            #expect(environment.wasLeftOpen)
            try write(environment, .full)
        }
        let boot = try #require(BootID.current)
        #expect(mark == (content.isEmpty ? "- none\n" : content) + "\(boot) full\n")
        do {
            let environment = try scratch.environment()
            #expect(environment.wasLeftOpen)
            try environment.verifyPages()
            try write(environment, .full)
        }
        #expect(mark == nil)
    }

    @Test func a_temporary_file_has_no_mark() throws {
        let environment = try scratch.environment("memory") { $0.isTemporary = true }
        try write(environment, .none)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("memory-open")))
    }
}
