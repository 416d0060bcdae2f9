// SPDX-License-Identifier: Apache-2.0

/// The commands for locks that belong to an open file; the headers show them to programs in GNU's C
/// only.
enum OpenFileLock {
    #if canImport(Darwin)
        static let ask: Int32 = 92
        static let take: Int32 = 90
        static let wait: Int32 = 91
    #else
        static let ask: Int32 = 36
        static let take: Int32 = 37
        /// As `take`, and waits where others are in the way.
        static let wait: Int32 = 38
    #endif
}
