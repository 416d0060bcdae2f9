// SPDX-License-Identifier: Apache-2.0

import Engines
import Foundation

/// How large a run is and where its files lie.
public struct Configuration: Sendable {
    /// The books that each engine holds.
    public var objectCount = 1_000_000
    /// The measurements of each engine, of which the median counts.
    public var runCount = 3
    /// The directory in which files are made.
    public var directory = FileManager.default.temporaryDirectory
    /// The engines of plain books; one alone is easy to profile, but not compared with others.
    public var engines = Engines.all
    /// The engines of the full library.
    public var libraryEngines = LibraryEngines.all
    /// The names of engines that were given, in their order; empty for all engines.
    public var names: [String] = []
    /// The only tasks of workloads that have several, by their short names; nil for all.
    public var tasks: Set<String>?
    /// Whether the counts of this run are kept.
    public var writesCounts = false
    /// The file of a child's task.
    public var path = ""
    /// How often the file of a child's task was written from end to end.
    public var round = 0
    /// The seed of a child's choices.
    public var seed = 0
    /// Whether only agreement is checked, on few books, and figures mean nothing.
    public var isSmoke = false

    /// The books of a commit.
    public static let commitSize = 10_000
    /// The seed of the order in which books are read.
    public static let orderSeed: UInt64 = 0x5EED

    /// The shelves of a number of books: one for each 100, and at least one.
    static func shelfCount(for bookCount: Int) -> Int { max(1, bookCount / 100) }

    /// Whether a task is to be measured.
    func wants(_ name: String) -> Bool { tasks?.contains(name) ?? true }

    /// The default sizes.
    public init() {}

    /// Sizes that run in seconds, even in a debug build; the last commit is a partial one.
    public static var smoke: Configuration {
        var result = Configuration()
        result.objectCount = 25_500
        result.runCount = 1
        result.isSmoke = true
        return result
    }
}
