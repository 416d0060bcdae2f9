// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Has writes of an open data file's header fail, as on a full disk.
///
/// LMDB writes the header through a descriptor of its own, in whose place this puts one of
/// `/dev/full`.
public struct HeaderFault {
    private let descriptor: Int32
    private let original: Int32

    /// Begins to fail; nil where the file is not open with durability `full`, or not on Linux.
    public init?(_ path: String) {
        // A run of all tests at once has thousands of them open.
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let found = names?.compactMap { Int32($0) }.sorted()
            .first { HeaderFault.isHeader($0, path) }
        let full = open("/dev/full", O_RDWR | O_CLOEXEC)
        guard let found, full >= 0 else { return nil }
        descriptor = found
        original = fcntl(found, F_DUPFD_CLOEXEC, 0)
        _ = dup2(full, found)
        close(full)
    }

    /// Lets writes succeed again.
    public func end() {
        _ = dup2(original, descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        close(original)
    }

    private static func isHeader(_ descriptor: Int32, _ path: String) -> Bool {
        let link = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/\(descriptor)")
        guard link == path else { return false }
        return fcntl(descriptor, F_GETFL) & O_DSYNC != 0
    }
}
