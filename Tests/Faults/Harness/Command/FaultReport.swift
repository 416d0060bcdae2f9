// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Counts of what was done, and what went wrong.
final class FaultReport: Sendable {
    private struct Content {
        var counts: [String: [String: Int]] = [:]
        var kinds: [String] = []
        var violations: [String] = []
    }

    // Several threads report.
    private let content = Mutex(Content())

    var violationCount: Int { content.withLock { $0.violations.count } }

    func add(_ kind: String, _ counts: [String: Int]) {
        content.withLock { content in
            if content.counts[kind] == nil { content.kinds.append(kind) }
            content.counts[kind, default: [:]].merge(counts, uniquingKeysWith: +)
        }
    }

    /// Notes what must not be, with the command that repeats it.
    func violate(_ kind: String, _ step: Int, seed: UInt64, _ text: String) {
        let line =
            "VIOLATION in \(kind), step \(step): \(text.prefix(1_500))\n"
            + "  repeat: lode-faults --seed \(seed) --only \(kind) --from \(step) --steps 1"
        content.withLock { $0.violations.append(line) }
        say(line)
    }

    /// The counts, a line a kind.
    var summary: String {
        content.withLock { content in
            var lines = content.kinds.map { kind in
                let counts = (content.counts[kind] ?? [:]).sorted { $0.key < $1.key }
                return "\(kind): " + counts.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
            }
            lines.append("violations: \(content.violations.count)")
            return lines.joined(separator: "\n")
        }
    }
}
