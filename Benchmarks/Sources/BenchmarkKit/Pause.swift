// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Waiting, and the clock that all processes share.
public enum Pause {
    /// Lets time pass.
    public static func milliseconds(_ count: Int) {
        Thread.sleep(forTimeInterval: Double(count) / 1_000)
    }

    /// Nanoseconds of the machine's monotonic clock.
    public static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
