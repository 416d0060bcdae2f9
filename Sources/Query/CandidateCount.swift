// SPDX-License-Identifier: Apache-2.0

/// Counts what a fetch reads.
///
/// A type of its own for fetches without a watch: their loops, compiled for it, need not count.
protocol CandidateCount {
    mutating func addCandidate() throws
    mutating func addMatch()
}

struct NoCount: CandidateCount {
    /// The thread sanitizer of Swift 6.3 takes the address of a count, which one of no bytes does
    /// not have.
    private let byte: UInt8 = 0

    @inline(__always)
    func addCandidate() {}
    @inline(__always)
    func addMatch() {}
}

/// Counts all.
struct FullCount: CandidateCount {
    private(set) var candidates = 0
    private(set) var matches = 0

    mutating func addCandidate() { candidates += 1 }
    mutating func addMatch() { matches += 1 }
}

/// Calls a watch at intervals.
struct WatchedCount: CandidateCount {
    let watch: FetchWatch
    private var candidates = 0
    private var matches = 0

    init(watch: FetchWatch) { self.watch = watch }

    mutating func addCandidate() throws {
        candidates += 1
        if candidates % FetchWatch.interval == 0 { try watch.look(matches) }
    }

    mutating func addMatch() { matches += 1 }
}
