// SPDX-License-Identifier: Apache-2.0

import Traps

/// Time that adds up to steps of a fixed length.
struct FixedStep {
    let seconds: Double
    private let limit: Int
    /// What is left of the time, less than a step.
    var rest = 0.0

    init(_ seconds: Double, _ limit: Int) {
        require(
            seconds > 0 && seconds.isFinite,
            "a fixed step of \(seconds) seconds; its length is greater than 0")
        require(limit > 0, "at most \(limit) steps in a run; allow at least one")
        self.seconds = seconds
        self.limit = limit
    }

    /// The steps that are full when time has passed.
    ///
    /// Sums of fractions are a little off, so a billionth of a step may be missing from a full one.
    mutating func steps(after delta: Double) -> Int {
        rest += delta
        let full = (rest / seconds + 1e-9).rounded(.down)
        guard full <= Double(limit) else {
            rest = 0
            return limit
        }
        rest = max(0, rest - full * seconds)
        return Int(full)
    }

    mutating func reset() { rest = 0 }
}
