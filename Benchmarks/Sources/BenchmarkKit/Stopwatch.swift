// SPDX-License-Identifier: Apache-2.0

/// Takes wall time with the monotonic clock.
public enum Stopwatch {
    /// Runs a block and returns its result and the seconds it took.
    public static func time<Result>(
        _ block: () throws -> Result
    ) rethrows -> (result: Result, seconds: Double) {
        let clock = ContinuousClock()
        let start = clock.now
        let result = try block()
        return (result, start.duration(to: clock.now).seconds)
    }
}

extension Duration {
    /// The duration in seconds.
    public var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
