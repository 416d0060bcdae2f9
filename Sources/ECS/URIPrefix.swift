// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// What the URIs of all objects of an entity begin with; the digits of the row come after it.
struct URIPrefix {
    let entity: EntityNumber
    private let bytes: ContiguousArray<UInt8>
    /// No row has as many digits.
    private static let tooManyDigits = 16

    init(_ text: some StringProtocol, _ entity: EntityNumber) {
        bytes = ContiguousArray(text.utf8)
        self.entity = entity
    }

    /// The row in a text: nil where the text begins in another way, and a row that is nil where
    /// something else than a row follows.
    func row(in text: String) -> UInt64?? {
        text.utf8.withContiguousStorageIfAvailable { text -> UInt64?? in
            let isBegin = bytes.withUnsafeBytes { own in
                guard text.count > own.count, let text = text.baseAddress,
                    let own = own.baseAddress
                else { return false }
                // SAFETY: both have at least as many bytes, as was just compared.
                return memcmp(text, own, bytes.count) == 0
            }
            return isBegin ? .some(URIPrefix.row(text[bytes.count...])) : nil
        } ?? nil
    }

    @inline(__always)
    private static func row(_ digits: some Collection<UInt8>) -> UInt64? {
        guard digits.count < tooManyDigits else { return nil }
        var row: UInt64 = 0
        for digit in digits {
            guard digit >= 0x30, digit <= 0x39 else { return nil }
            row = row * 10 + UInt64(digit - 0x30)
        }
        return row > 0 && row < ObjectKey.temporaryBit ? row : nil
    }

    /// The URI of the object of a row.
    func text(ofRow row: UInt64) -> String {
        var digitCount = 1
        var rest = row / 10
        while rest > 0 {
            digitCount += 1
            rest /= 10
        }
        let count = bytes.count + digitCount
        return String(unsafeUninitializedCapacity: count) { buffer in
            _ = buffer.initialize(fromContentsOf: bytes)
            var rest = row
            for place in (bytes.count..<count).reversed() {
                buffer[place] = 0x30 + UInt8(rest % 10)
                rest /= 10
            }
            return count
        }
    }
}
