// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Formats with so much inside each other that a small stack is not enough to read them.
///
/// A level of parentheses takes up to 45 KB of stack in a debug build, an operator before an
/// operand 5 KB, where a thread of a program may have 512 KB. What comes out of parentheses alone
/// takes none.
enum DeepFormat {
    /// The most levels that are read on the caller's stack.
    private static let mostLevels = 5
    /// The most operators in a row before an operand.
    private static let mostPrefixes = 20
    /// Enough for ``Parser/maximumNesting`` levels in a debug build; only what is used is real.
    private static let stackSize = 32 << 20

    /// Whether a format has to be read on a stack of its own.
    static func needsStack(_ format: String) -> Bool {
        var depth = Depth()
        for byte in format.utf8 {
            depth.add(byte)
            if depth.level > mostLevels || depth.prefixes > mostPrefixes { return true }
        }
        return false
    }

    /// How much is open at a place of a format: strings are left out, and all that is no bracket
    /// and no operator before an operand ends a row of these.
    private struct Depth {
        var level = 0
        var prefixes = 0
        private var quote: UInt8?
        private var isEscaped = false
        /// How many letters of `NOT` came last.
        private var letters = 0

        mutating func add(_ byte: UInt8) {
            if let quote { return addToString(byte, quote) }
            switch (byte, letters) {
            case (0x28, _), (0x5B, _), (0x7B, _): level += 1
            case (0x29, _), (0x5D, _), (0x7D, _): (level, prefixes) = (level - 1, 0)
            case (0x21, _), (0x2D, _), (0x7E, _): prefixes += 1
            case (0x22, _), (0x27, _): (quote, prefixes) = (byte, 0)
            case (0x4E, 0), (0x6E, 0): return letters = 1
            case (0x4F, 1), (0x6F, 1): return letters = 2
            case (0x54, 2), (0x74, 2): prefixes += 1
            case (0x20, 0), (0x09...0x0D, 0): break
            default: prefixes = 0
            }
            letters = 0
        }

        private mutating func addToString(_ byte: UInt8, _ mark: UInt8) {
            if isEscaped {
                isEscaped = false
            } else if byte == 0x5C {
                isEscaped = true
            } else if byte == mark {
                quote = nil
            }
        }
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
