// SPDX-License-Identifier: Apache-2.0

import Lode
import Synchronization

/// Ends the process on Ctrl-C and on a request to terminate, after removing unfinished files.
///
/// Little is allowed in a signal handler, so it only wakes a thread through a pipe; that thread may
/// call anything. The process then ends by the signal itself, as the sender expects.
enum Interruption {
    // The main thread adds; the thread that is woken reads.
    private static let folders = Mutex<[String]>([])
    /// The ends of the pipe: one to read from and one to write to.
    private static let ends: (source: Int32, sink: Int32)? = {
        var made: [Int32] = [-1, -1]
        guard pipe(&made) == 0 else { return nil }
        for end in made { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (made[0], made[1])
    }()

    /// Handles the signals of this process until it ends.
    static func install() {
        // Without a pipe the signals do what they always do; the next import cleans up.
        guard let ends else { return }
        Thread.detachNewThread {
            var number: UInt8 = 0
            while read(ends.source, &number, 1) != 1 { guard errno == EINTR else { return } }
            end(by: Int32(number))
        }
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                guard let ends = Interruption.ends else { return }
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(ends.sink, &byte, 1)
            }
        }
    }

    /// Registers a folder of this run to be removed as well.
    static func removeAtEnd(_ folder: String) { folders.withLock { $0.append(folder) } }

    private static func end(by number: Int32) {
        LibraryImporter.removeUnfinishedFiles()
        // Held to the end: nothing is added any more.
        folders.withLock { folders in
            for folder in folders { try? FileManager.default.removeItem(atPath: folder) }
            signal(number, SIG_DFL)
            kill(getpid(), number)
            while true { sleep(1) }
        }
    }
}
