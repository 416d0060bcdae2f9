// SPDX-License-Identifier: Apache-2.0

/// Checks the bytes of a binary property list before Foundation reads them.
///
/// Foundation crashes on damaged ones, and follows lists that hold each other for ever.
///
/// A list is sound if Foundation could have written it, of dictionaries, arrays, texts, numbers,
/// dates and data.
struct BinaryPropertyList {
    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let table: Int
    /// How many more objects may be met: one that is in several lists counts each time.
    private var budget: Int

    private static let mostLevels = 128
    private static let trailerByteCount = 32

    /// Whether bytes are a property list that can be read.
    static func isSound(_ bytes: [UInt8]) -> Bool {
        guard var list = BinaryPropertyList(bytes) else { return false }
        let top = list.number(bytes.count - 16, 8)
        return top.map { list.isSound($0, level: 0) } ?? false
    }

    private init?(_ bytes: [UInt8]) {
        let end = bytes.count - BinaryPropertyList.trailerByteCount
        guard end >= 9, bytes.starts(with: Array("bplist00".utf8)),
            let count = BinaryPropertyList.number(bytes, end + 8, 8),
            let table = BinaryPropertyList.number(bytes, end + 24, 8),
            (1...8).contains(bytes[end + 6]), (1...8).contains(bytes[end + 7]),
            count > 0, count <= bytes.count, table >= 9, table <= end,
            count * Int(bytes[end + 6]) <= end - table
        else { return nil }
        self.bytes = bytes
        offsetSize = Int(bytes[end + 6])
        referenceSize = Int(bytes[end + 7])
        objectCount = count
        self.table = table
        budget = 100_000 + bytes.count
    }

    private func number(_ offset: Int, _ width: Int) -> Int? {
        BinaryPropertyList.number(bytes, offset, width)
    }

    /// A big-endian number; nil where it is outside or larger than any size.
    private static func number(_ bytes: [UInt8], _ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, offset + width <= bytes.count else { return nil }
        let number = bytes[offset..<offset + width].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return number < 1 << 48 ? Int(number) : nil
    }

    private mutating func isSound(_ object: Int, level: Int) -> Bool {
        budget -= 1
        guard budget > 0, level <= BinaryPropertyList.mostLevels, object < objectCount,
            let start = number(table + object * offsetSize, offsetSize), start >= 8, start < table
        else { return false }
        let low = Int(bytes[start] & 0x0F)
        switch bytes[start] >> 4 {
        case 0: return low == 8 || low == 9
        case 1: return low <= 4 && start + 1 << low <= table - 1
        case 2: return (2...3).contains(low) && start + 1 << low <= table - 1
        case 3: return low == 3 && start + 8 <= table - 1
        case 4: return content(start, low, width: 1) != nil
        case 5: return content(start, low, width: 1)?.allSatisfy { bytes[$0] < 0x80 } ?? false
        case 6: return content(start, low, width: 2).map(isText) ?? false
        case 0xA: return areSound(start, low, isDictionary: false, level)
        case 0xD: return areSound(start, low, isDictionary: true, level)
        default: return false
        }
    }

    /// The bytes of elements behind a marker, whose count is in it or in the number behind it.
    private func content(_ start: Int, _ low: Int, width: Int) -> Range<Int>? {
        var begin = start + 1
        var count = low
        if low == 0xF {
            guard begin < table, bytes[begin] >> 4 == 1, bytes[begin] & 0x0F <= 3,
                let stated = number(begin + 1, 1 << Int(bytes[begin] & 0x0F))
            else { return nil }
            begin += 1 + 1 << Int(bytes[begin] & 0x0F)
            count = stated
        }
        guard begin <= table, count <= (table - begin) / width else { return nil }
        return begin..<begin + count * width
    }

    private func isText(_ range: Range<Int>) -> Bool {
        let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return String(validating: units, as: UTF16.self) != nil
    }

    private mutating func areSound(
        _ start: Int, _ low: Int, isDictionary: Bool, _ level: Int
    ) -> Bool {
        let width = isDictionary ? 2 * referenceSize : referenceSize
        guard let range = content(start, low, width: width) else { return false }
        let count = range.count / referenceSize
        for index in 0..<count {
            guard let object = number(range.lowerBound + index * referenceSize, referenceSize),
                isSound(object, level: level + 1)
            else { return false }
            // The first half of a dictionary's are its keys.
            if isDictionary, index < count / 2, !isTextual(object) { return false }
        }
        return true
    }

    private func isTextual(_ object: Int) -> Bool {
        number(table + object * offsetSize, offsetSize).map { [5, 6].contains(bytes[$0] >> 4) }
            ?? false
    }
}
