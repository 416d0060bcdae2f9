// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Waiting, and the clock that all processes share.
public enum Pause {
    /// Lets time pass.
    public static func milliseconds(_ count: Int) {
        Thread.sleep(forTimeInterval: Double(count) / 1_000)
    }

    /// Waits until the disk has what was written and no other thread of the process works.
    ///
    /// An engine may go on behind its calls, by compactions in RocksDB's threads or by pages that
    /// the system has not written yet, and the next measurement would pay for it. After ten seconds
    /// it is left to.
    public static func untilQuiet() {
        sync()
        for _ in 0..<1_000 {
            // The processor time of all threads, in microseconds.
            let before = clock()
            milliseconds(10)
            if clock() - before < 1_000 { break }
        }
        sync()
    }

    /// Nanoseconds of the machine's monotonic clock.
    public static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
