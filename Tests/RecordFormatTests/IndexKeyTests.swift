// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing
import _TestSupport

/// How two values of one type compare by meaning: -1, 0 or 1.
///
/// Text and data compare byte by byte; null comes first; NaN after everything.
private func compare(_ left: Value, _ right: Value) -> Int {
    switch (left, right) {
    case (.null, .null): 0
    case (.null, _): -1
    case (_, .null): 1
    case (.integer16(let a), .integer16(let b)): order(a, b)
    case (.integer32(let a), .integer32(let b)): order(a, b)
    case (.integer64(let a), .integer64(let b)): order(a, b)
    case (.decimal(let a), .decimal(let b)): order(a, b)
    case (.double(let a), .double(let b)), (.date(let a), .date(let b)): order(a, b)
    case (.float(let a), .float(let b)): order(Double(a), Double(b))
    case (.boolean(let a), .boolean(let b)): order(a ? 1 : 0, b ? 1 : 0)
    case (.uuid(let a), .uuid(let b)): order(a, b)
    case (.objectID(let a), .objectID(let b)): order(a, b)
    case (.string(let a), .string(let b)), (.uri(let a), .uri(let b)):
        order(Array(a.utf8), Array(b.utf8))
    case (.binaryData(let a), .binaryData(let b)), (.transformable(let a), .transformable(let b)):
        order(a, b)
    default: preconditionFailure("\(left) and \(right) have different types")
    }
}

private func order<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
    left < right ? -1 : left > right ? 1 : 0
}

private func order(_ left: Double, _ right: Double) -> Int {
    if left.isNaN || right.isNaN { return order(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) }
    return left < right ? -1 : left > right ? 1 : 0
}

private func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
    left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
}

@Suite struct IndexKeyTests {
    @Test(arguments: AttributeType.allCases)
    func orderOfPairs(type: AttributeType) {
        var random = SeededGenerator(seed: 31 + UInt64(type.rawValue))
        var values: [Value] = type.extremes + [.null]
        for _ in 0..<60 { values.append(random.value(of: type)) }
        let keys = values.map { IndexKey([$0]).bytes }
        for (left, value) in values.enumerated() {
            for (right, other) in values.enumerated()
            where order(keys[left], keys[right]) != compare(value, other) {
                Issue.record("\(value) and \(other) sort wrongly, seed \(random.seed)")
            }
        }
    }

    @Test func orderOfCompoundKeys() {
        var random = SeededGenerator(seed: 32)
        for _ in 0..<4_000 {
            let types = (0..<3).map { _ in
                random.pick(
                    [.string, .binaryData, .decimal, .integer16, .string] as [AttributeType])
            }
            let left = types.map { random.chance(0.1) ? .null : random.value(of: $0) }
            var right = types.map { random.chance(0.1) ? .null : random.value(of: $0) }
            // Equal beginnings, so that later values decide often.
            for index in 0..<Int(random.next() % 4) { right[index] = left[index] }
            let expected = zip(left, right).map(compare).first { $0 != 0 } ?? 0
            #expect(
                order(IndexKey(left).bytes, IndexKey(right).bytes) == expected,
                "\(left) and \(right), seed \(random.seed)")
        }
    }

    @Test func embeddedZerosDoNotRunIntoTheNextValue() {
        let sorted: [[Value]] = [
            [.null, .string("z")], [.string(""), .null], [.string(""), .string("\0")],
            [.string("\0"), .string("")], [.string("\0"), .string("\u{1}")],
            [.string("\0\0"), .null], [.string("\0\u{1}"), .string("")],
            [.string("\u{1}"), .null], [.string("a"), .string("b")],
            [.string("a\0"), .string("a")], [.string("a\u{1}"), .string("a")],
            [.string("ab"), .null],
        ]
        let keys = sorted.map { IndexKey($0).bytes }
        for index in 1..<keys.count {
            #expect(keys[index - 1].lexicographicallyPrecedes(keys[index]), "\(sorted[index])")
        }
    }

    @Test func zerosAreOneValue() {
        #expect(IndexKey([.double(-0.0)]) == IndexKey([.double(0)]))
        #expect(IndexKey([.float(-0.0)]) == IndexKey([.float(0)]))
        #expect(IndexKey([.date(-0.0)]) == IndexKey([.date(0)]))
    }

    @Test func integersOfEachWidthShareTheirKeys() {
        #expect(IndexKey([.integer16(-3)]) == IndexKey([.integer64(-3)]))
        #expect(IndexKey([.integer32(-3)]) == IndexKey([.integer64(-3)]))
        #expect(IndexKey([.float(1.5)]) == IndexKey([.double(1.5)]))
    }

    @Test func longKeysAreCut() {
        let fits = IndexKey([.binaryData(Array(repeating: 1, count: 508))])
        #expect(fits.bytes.count == 511)
        #expect(!fits.isTruncated)
        let long = IndexKey([.binaryData(Array(repeating: 1, count: 509))])
        #expect(long.isTruncated)
        #expect(long.storedBytes.count == 511)
        #expect(Array(long.storedBytes) == Array(long.bytes[..<511]))
    }

    @Test func keysCanBeUsedAgain() {
        var key = IndexKey([.string("first")])
        key.removeAll()
        key.append(.boolean(true))
        #expect(key.bytes == [1, 1])
        #expect(IndexKey().bytes == [])
    }

    @Test func prefixesOfText() {
        var prefix = IndexKey([.integer16(1)])
        prefix.appendPrefix("a\0")
        let bound = prefix.upperBound ?? []
        func isInside(_ text: String) -> Bool {
            let key = IndexKey([.integer16(1), .string(text)]).bytes
            return !key.lexicographicallyPrecedes(prefix.bytes)
                && key.lexicographicallyPrecedes(bound)
        }
        #expect(isInside("a\0") && isInside("a\0b") && isInside("a\0🎬"))
        #expect(!isInside("a") && !isInside("a\u{1}") && !isInside("b") && !isInside(""))
    }

    @Test func upperBounds() {
        #expect(IndexKey().upperBound == nil)
        #expect(IndexKey([.null]).upperBound == [1])
        #expect(IndexKey([.boolean(true)]).upperBound == [1, 2])
        var prefix = IndexKey()
        prefix.appendPrefix("\u{10FFFF}")
        #expect(prefix.upperBound == [1, 0xF4, 0x8F, 0xBF, 0xC0])
        // All trailing FF bytes go before the byte that can be raised.
        #expect(IndexKey([.objectID(ObjectKey(rawValue: .max))]).upperBound == [2])
    }
}
