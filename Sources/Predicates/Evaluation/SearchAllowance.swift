// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How many steps the regular expressions of one fetch may still take.
///
/// The bound of one text allows some tenths of a second, which in each row of a table would be
/// hours. Each text adds a hundred steps for each of its characters, and ten thousand, which takes
/// about a millisecond. A pattern that reads a text a few times needs fewer, so a fetch with one
/// never meets the bound, however many rows it reads: the allowance only grows.
///
/// Objects that a program evaluates one by one have no such bound, as nothing says which of them
/// belong together.
final class SearchAllowance: Sendable {
    /// Reports of progress, which come every ten thousand steps.
    private let reports: Mutex<Int>

    /// - Parameter reports: What is allowed beyond what texts add: the most for some texts.
    init(reports: Int = 10_000) { self.reports = Mutex(reports) }

    /// What is left.
    var left: Int { reports.withLock { $0 } }

    /// Adds what a text adds.
    ///
    /// - Returns: What is left then.
    func grant(characters: Int) -> Int {
        reports.withLock { reports in
            reports += 1 + characters / 100
            return reports
        }
    }

    func spend(_ count: Int) {
        if count > 0 { reports.withLock { $0 -= count } }
    }
}
