// SPDX-License-Identifier: Apache-2.0

/// The numbers of the bits of a word that are set, ascending.
package struct Bits: Sequence, IteratorProtocol {
    private var rest: UInt64

    package init(_ word: UInt64) { rest = word }

    package mutating func next() -> Int? {
        guard rest != 0 else { return nil }
        defer { rest &= rest &- 1 }
        return rest.trailingZeroBitCount
    }
}
