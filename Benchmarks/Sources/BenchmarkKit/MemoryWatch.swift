// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Looks at the memory of this process from a thread of its own, so that what a long call takes
/// and gives back is seen, too.
public final class MemoryWatch: Sendable {
    private let largest = Atomic(0)
    private let isOver = Atomic(false)
    private let start: Int

    /// Begins to look every few milliseconds.
    public init() {
        start = PeakMemory.anonymousBytes ?? PeakMemory.bytes
        let thread = Thread { [self] in
            while !isOver.load(ordering: .relaxed) {
                look()
                Pause.milliseconds(5)
            }
        }
        thread.start()
    }

    /// The most bytes that belonged to no file so far, above those of the beginning; where the
    /// kernel does not tell them apart, of all resident bytes.
    public var growth: Int {
        look()
        return largest.load(ordering: .relaxed)
    }

    private func look() {
        let now = (PeakMemory.anonymousBytes ?? PeakMemory.bytes) - start
        largest.max(now, ordering: .relaxed)
    }

    /// Ends looking.
    public func end() { isOver.store(true, ordering: .relaxed) }
}
