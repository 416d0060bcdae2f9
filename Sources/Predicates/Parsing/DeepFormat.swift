// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Formats with so much inside each other that a small stack is not enough to read them.
///
/// A level of parentheses takes up to 45 KB of stack in a debug build, an operator before an
/// operand 5 KB, where a thread of a program may have 512 KB. What comes out of parentheses alone
/// takes none.
enum DeepFormat {
    /// The most levels that are read on the caller's stack.
    private static let mostLevels = 5
    /// The most operators before operands in the whole format.
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

    /// How much may be in work at a place of a format; strings are left out.
    ///
    /// Operators count to the end: one before a bracket is in work until that is closed, `NOT` for
    /// its whole comparison, and an operand after it may have operators of its own.
    private struct Depth {
        var level = 0
        var prefixes = 0
        private var quote: UInt8?
        private var isEscaped = false
        /// How many letters of `NOT` came last.
        private var letters = 0
        private var last: UInt8 = 0

        mutating func add(_ byte: UInt8) {
            if let quote { return addToString(byte, quote) }
            takeBack(before: byte)
            last = byte
            switch (byte, letters) {
            case (0x28, _), (0x5B, _), (0x7B, _): level += 1
            case (0x29, _), (0x5D, _), (0x7D, _): level -= 1
            // Also the colon of an assignment, whose value may be another one.
            case (0x21, _), (0x2D, _), (0x3A, _), (0x7E, _): prefixes += 1
            case (0x22, _), (0x27, _): quote = byte
            case (0x4E, _), (0x6E, _): return letters = 1
            case (0x4F, 1), (0x6F, 1): return letters = 2
            case (0x54, 2), (0x74, 2):
                prefixes += 1
                return letters = 3
            default: break
            }
            letters = 0
        }

        /// Does not count `!=`, the sign of a number and words that begin with `NOT`.
        private mutating func takeBack(before byte: UInt8) {
            switch (last, byte) {
            case (0x21, 0x3D), (0x2D, 0x30...0x39): prefixes -= 1
            case (_, 0x30...0x39), (_, 0x41...0x5A), (_, 0x5F), (_, 0x61...0x7A):
                if letters == 3 { prefixes -= 1 }
            default: break
            }
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

    /// Runs a reading of a format, on a stack of its own if the format needs one.
    ///
    /// - Throws: What the reading throws, and `nestedTooDeeply` where no thread can be made.
    static func read<Tree: Sendable>(
        _ format: String,
        _ body: @escaping @Sendable () throws(PredicateSyntaxError) -> Tree
    ) throws(PredicateSyntaxError) -> Tree {
        needsStack(format) ? try onLargeStack(format, body) : try body()
    }

    private static func onLargeStack<Tree: Sendable>(
        _ format: String,
        _ read: @escaping @Sendable () throws(PredicateSyntaxError) -> Tree
    ) throws(PredicateSyntaxError) -> Tree {
        let outcome = Outcome<Tree>(
            PredicateSyntaxError(
                code: .nestedTooDeeply, format: format, offset: 0,
                expected: "less nesting, as the system has no thread to read so much with",
                found: "more"))
        // Where there is no thread the outcome stays that error.
        LargeStack.run(stackSize) {
            do throws(PredicateSyntaxError) {
                let tree = try read()
                outcome.set(.success(tree))
            } catch {
                outcome.set(.failure(error))
            }
        }
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
