// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat

/// A constant text as bytes, and the relations of other texts to it.
struct BytePattern: Sendable {
    let bytes: ContiguousArray<UInt8>
    /// The full groups of eight bytes, to compare in single steps.
    private let words: ContiguousArray<UInt64>

    init(_ text: String) {
        let bytes = ContiguousArray(text.utf8)
        self.bytes = bytes
        words = ContiguousArray(
            stride(from: 0, to: bytes.count & ~7, by: 8).map { start in
                (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << UInt64($1 * 8) }
            })
    }

    /// Whether a text field has exactly these bytes.
    @inline(__always)
    func isEqual(_ record: RecordView, _ offset: Int) -> Bool {
        guard let text = record.heapBytes(at: offset), text.count == bytes.count else {
            return false
        }
        for index in words.indices {
            let word = text.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
            if UInt64(littleEndian: word) != words[index] { return false }
        }
        for index in words.count * 8..<bytes.count where text[index] != bytes[index] {
            return false
        }
        return true
    }

    /// Whether a text stands in a relation to the pattern.
    @inline(__always)
    func holds<Text: RandomAccessCollection<UInt8>>(
        _ operation: Operator, _ text: Text
    ) -> Bool where Text.Index == Int {
        holds(operation, text) { $0 }
    }

    /// As ``holds(_:_:)``, with the letters A to Z of the text as small ones.
    @inline(__always)
    func holdsIgnoringCase<Text: RandomAccessCollection<UInt8>>(
        _ operation: Operator, _ text: Text
    ) -> Bool where Text.Index == Int {
        holds(operation, text) { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    }

    @inline(__always)
    private func holds<Text: RandomAccessCollection<UInt8>>(
        _ operation: Operator, _ text: Text, _ fold: (UInt8) -> UInt8
    ) -> Bool where Text.Index == Int {
        switch operation {
        case .equalTo: text.count == bytes.count && occurs(in: text, at: 0, fold)
        case .notEqualTo: text.count != bytes.count || !occurs(in: text, at: 0, fold)
        case .beginsWith: text.count >= bytes.count && occurs(in: text, at: 0, fold)
        case .endsWith:
            text.count >= bytes.count && occurs(in: text, at: text.count - bytes.count, fold)
        case .lessThan: order(of: text, fold) < 0
        case .lessThanOrEqualTo: order(of: text, fold) <= 0
        case .greaterThan: order(of: text, fold) > 0
        case .greaterThanOrEqualTo: order(of: text, fold) >= 0
        default: occurs(anywhereIn: text, fold)
        }
    }

    @inline(__always)
    private func occurs<Text: RandomAccessCollection<UInt8>>(
        in text: Text, at start: Int, _ fold: (UInt8) -> UInt8
    ) -> Bool where Text.Index == Int {
        for index in bytes.indices where fold(text[start + index]) != bytes[index] {
            return false
        }
        return true
    }

    @inline(__always)
    private func occurs<Text: RandomAccessCollection<UInt8>>(
        anywhereIn text: Text, _ fold: (UInt8) -> UInt8
    ) -> Bool where Text.Index == Int {
        var steps = 0
        return ByteSearch.position(of: bytes, in: text, 0..<text.count, steps: &steps, fold) != nil
    }

    /// Below zero for a text before the pattern, zero for the same, above zero for one after it.
    @inline(__always)
    private func order<Text: RandomAccessCollection<UInt8>>(
        of text: Text, _ fold: (UInt8) -> UInt8
    ) -> Int where Text.Index == Int {
        for index in 0..<min(text.count, bytes.count) {
            let byte = fold(text[index])
            if byte != bytes[index] { return byte < bytes[index] ? -1 : 1 }
        }
        return text.count - bytes.count
    }
}
