// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Formats with so much inside each other that a small stack is not enough to read them.
///
/// A level of parentheses takes up to 30 KB of stack in a debug build, where a thread of a program
/// may have 512 KB. What comes out of parentheses alone takes none.
enum DeepFormat {
    /// The most levels that are read on the caller's stack.
    private static let mostLevels = 8
    /// The most operators before an operand, of which each may stand before the next.
    private static let mostPrefixes = 40
    /// Enough for ``Parser/maximumNesting`` levels in a debug build; only what is used is real.
    private static let stackSize = 16 << 20

    /// Whether a format has to be read on a stack of its own.
    static func needsStack(_ format: String) -> Bool {
        var level = 0
        var prefixes = 0
        for byte in format.utf8 {
            switch byte {
            case 0x28, 0x5B, 0x7B: level += 1
            case 0x29, 0x5D, 0x7D: level -= 1
            // `!`, `-`, `~` and the first letter of NOT.
            case 0x21, 0x2D, 0x7E, 0x4E, 0x6E: prefixes += 1
            default: continue
            }
            if level > mostLevels || prefixes > mostPrefixes { return true }
        }
        return false
    }

    /// Runs a reading on a thread with a large stack.
    static func onLargeStack<Tree: Sendable>(
        _ format: String,
        _ read: @escaping @Sendable () throws(PredicateSyntaxError) -> Tree
    ) throws(PredicateSyntaxError) -> Tree {
        let outcome = Outcome<Tree>(
            PredicateSyntaxError(
                code: .nestedTooDeeply, format: format, offset: 0,
                expected: "a format that a thread can read", found: "another one"))
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            do throws(PredicateSyntaxError) {
                let tree = try read()
                outcome.set(.success(tree))
            } catch {
                outcome.set(.failure(error))
            }
            done.signal()
        }
        thread.stackSize = stackSize
        thread.start()
        done.wait()
        return try outcome.tree()
    }

    /// What the thread leaves for the one that waits for it.
    private final class Outcome<Tree: Sendable>: Sendable {
        // Set by one thread before the other reads it.
        private let result: Mutex<Result<Tree, PredicateSyntaxError>>

        /// - Parameter unread: What there is until the format was read.
        init(_ unread: PredicateSyntaxError) { result = Mutex(.failure(unread)) }

        func set(_ result: Result<Tree, PredicateSyntaxError>) {
            self.result.withLock { $0 = result }
        }

        func tree() throws(PredicateSyntaxError) -> Tree {
            try result.withLock { $0 }.get()
        }
    }
}
