// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How figures are written.
public enum Figures {
    /// A ratio with two digits, such as `1.25x`.
    public static func ratio(_ value: Double) -> String { String(format: "%.2fx", value) }

    /// A rate with three digits, such as `5.12 M/s` or `133 k/s`.
    public static func rate(_ value: Double) -> String {
        if value < 1e3 { return String(format: "%.0f /s", value) }
        let (scaled, unit) = value >= 1e6 ? (value / 1e6, "M/s") : (value / 1e3, "k/s")
        return String(format: scaled >= 100 ? "%.0f" : scaled >= 10 ? "%.1f" : "%.2f", scaled)
            + " " + unit
    }

    /// A size in millions of bytes.
    public static func megabytes(_ value: Double) -> String {
        String(format: "%.1f MB", value / 1e6)
    }

    /// A duration in milliseconds.
    public static func milliseconds(_ seconds: Double) -> String {
        String(format: "%.3f ms", seconds * 1e3)
    }

    /// A duration in microseconds.
    public static func microseconds(_ seconds: Double) -> String {
        String(format: "%.2f µs", seconds * 1e6)
    }

    /// A duration in nanoseconds.
    public static func nanoseconds(_ seconds: Double) -> String {
        String(format: "%.1f ns", seconds * 1e9)
    }

    /// A mean number, with three digits.
    public static func count(_ value: Double) -> String { String(format: "%.3f", value) }

    /// A mean size in bytes.
    public static func bytes(_ value: Double) -> String { String(format: "%.0f bytes", value) }

    /// A share in percent, with its sign.
    public static func percent(_ value: Double) -> String {
        String(format: "%+.1f %%", value * 100)
    }
}
