// SPDX-License-Identifier: Apache-2.0

/// How this program was compiled.
public enum BuildMode: String, Sendable {
    /// With checks and without optimization: timings mean nothing.
    case debug
    /// Optimized.
    case release

    /// The mode of this build, told by whether assertions run.
    public static var current: BuildMode {
        var mode = BuildMode.release
        func note() -> Bool {
            mode = .debug
            return true
        }
        assert(note())
        return mode
    }
}
