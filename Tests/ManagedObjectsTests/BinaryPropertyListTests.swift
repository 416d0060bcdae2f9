// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

@testable import ManagedObjects

/// Property lists of strangers, which Foundation would crash on or read for ever.
@Suite struct BinaryPropertyListTests {
    /// A list of objects that refer to each other by four bytes; the first is the top.
    private func list(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        for offset in offsets { bytes += number(offset, 4) }
        bytes += [0, 0, 0, 0, 0, 0, 4, 4]
        for trailer in [objects.count, 0, table] { bytes += number(trailer, 8) }
        return bytes
    }

    private func number(_ number: Int, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private func isRead(_ bytes: [UInt8]) -> Bool {
        (try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)) != nil
    }

    private var healthy: [UInt8] {
        get throws {
            let content: [String: Any] = [
                "numbers": [1, -1, 1 << 40, 2.5, true], "text": "ünï 👍", "day": Date(),
                "data": Data(repeating: 7, count: 300), "none": [Int](), "more": ["a": ["b": 1]],
                "long": Array(repeating: "x", count: 40),
            ]
            return Array(
                try PropertyListSerialization.data(
                    fromPropertyList: content, format: .binary, options: 0))
        }
    }

    @Test func what_foundation_writes_is_sound() throws {
        #expect(BinaryPropertyList.isSound(try healthy))
        #expect(BinaryPropertyList.isSound(list([[0xA1] + number(1, 4), [0x09]])))
    }

    @Test func lists_without_an_end_are_not() {
        let circle = list([[0xA1] + number(1, 4), [0xA1] + number(0, 4)])
        let pairs = (1..<40).map { [0xA2] + number($0, 4) + number($0, 4) } + [[0x09]]
        let deep = (1..<1_000).map { [0xA1] + number($0, 4) } + [[0x09]]
        for wrong in [circle, list(pairs), list(deep), list([[0xC1] + number(0, 4)]), []] {
            #expect(!BinaryPropertyList.isSound(wrong))
        }
    }

    @Test func damaged_ones_are_refused_or_read() throws {
        let whole = try healthy
        var random = SeededGenerator(seed: 5)
        var read = 0
        for _ in 0..<4_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                    UInt8.random(in: 0...255, using: &random)
            }
            if BinaryPropertyList.isSound(bytes), isRead(bytes) { read += 1 }
        }
        #expect(read > 400, "seed \(random.seed)")
    }
}
