// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema

/// Whether a text field stands in a relation to a constant text, on the bytes of the record.
///
/// Text that has to be folded is compared byte by byte, too, if it is ASCII; only other text
/// becomes a `String`.
final class TextNode: FilterNode {
    private let place: FieldPlace
    private let operation: Operator
    private let pattern: BytePattern
    private let folding: ComparisonOptions
    private let nullResult: Bool

    /// - Returns: `nil` for an operator that this node does not know.
    init?(
        _ place: FieldPlace, _ operation: Operator, _ text: String, _ options: ComparisonOptions,
        nullResult: Bool
    ) {
        switch operation {
        case .between, .in, .like, .matches: return nil
        default: break
        }
        self.place = place
        self.operation = operation
        self.nullResult = nullResult
        folding =
            options.foldsText
            ? options.intersection([.caseInsensitive, .diacriticInsensitive]) : []
        pattern = BytePattern(TextFolding.fold(text, options))
    }

    func matches(_ row: FilterRow) throws -> Bool {
        if row.record.isNull(place.position) { return nullResult }
        guard let bytes = row.record.heapBytes(at: place.offset) else {
            return pattern.holds(operation, ContiguousArray<UInt8>())
        }
        if folding.isEmpty {
            if operation == .equalTo { return pattern.isEqual(row.record, place.offset) }
            return pattern.holds(operation, bytes)
        }
        if row.record.isASCII(place.offset) {
            return folding.contains(.caseInsensitive)
                ? pattern.holdsIgnoringCase(operation, bytes) : pattern.holds(operation, bytes)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return pattern.holds(operation, ContiguousArray(TextFolding.fold(text, folding).utf8))
    }

    var cost: FilterCost { .text }
}

/// Whether a text field matches a pattern of `LIKE`.
final class LikeNode: FilterNode {
    private let place: FieldPlace
    private let pattern: LikePattern
    private let nullResult: Bool

    init(_ place: FieldPlace, _ pattern: LikePattern, nullResult: Bool) {
        self.place = place
        self.pattern = pattern
        self.nullResult = nullResult
    }

    func matches(_ row: FilterRow) throws -> Bool {
        if row.record.isNull(place.position) { return nullResult }
        guard !pattern.options.foldsText, let bytes = row.record.heapBytes(at: place.offset) else {
            return try pattern.matches(row.record.string(at: place.offset))
        }
        return try pattern.matches(utf8: bytes)
    }

    var cost: FilterCost { .text }
}

extension RecordView {
    /// Whether all bytes of a text field are ASCII.
    func isASCII(_ offset: Int) -> Bool {
        guard let bytes = heapBytes(at: offset) else { return true }
        var position = 0
        while position + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            if word & 0x8080_8080_8080_8080 != 0 { return false }
            position += 8
        }
        while position < bytes.count {
            if bytes[position] & 0x80 != 0 { return false }
            position += 1
        }
        return true
    }
}
