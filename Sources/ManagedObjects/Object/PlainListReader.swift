// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads a property list in the binary form, as ``PlainListWriter`` writes it.
///
/// Gives up where the list has another form, as any of a stranger may have: Foundation reads it
/// then, or refuses it.
struct PlainListReader {
    private static let trailer = 32
    private static let greatestDepth = 64

    private let bytes: [UInt8]
    private let offsetWidth: Int
    private let referenceWidth: Int
    private let count: Int
    private let top: Int
    private let table: Int
    /// How many references may be read yet: the writer has each container once.
    private var allowance: Int

    /// The list of bytes; nil where they have another form.
    static func list(of bytes: [UInt8]) -> PlainList? {
        guard var reader = PlainListReader(bytes) else { return nil }
        return reader.value(reader.top, 0)
    }

    private init?(_ bytes: [UInt8]) {
        let end = bytes.count - PlainListReader.trailer
        guard end > 8, bytes.starts(with: "bplist00".utf8) else { return nil }
        self.bytes = bytes
        allowance = bytes.count
        offsetWidth = Int(bytes[end + 6])
        referenceWidth = Int(bytes[end + 7])
        let widths = [1, 2, 4, 8]
        guard widths.contains(offsetWidth), widths.contains(referenceWidth),
            let count = PlainListReader.number(bytes, end + 8, 8),
            let top = PlainListReader.number(bytes, end + 16, 8),
            let table = PlainListReader.number(bytes, end + 24, 8),
            count <= bytes.count, top < count, table > 8, table <= end,
            count <= (end - table) / offsetWidth
        else { return nil }
        (self.count, self.top, self.table) = (count, top, table)
    }

    /// The number in some bytes that are there; nil for one that is too large.
    private static func number(_ bytes: [UInt8], _ place: Int, _ width: Int) -> Int? {
        var number: UInt64 = 0
        for byte in bytes[place..<place + width] { number = number << 8 | UInt64(byte) }
        return Int(exactly: number)
    }

    /// The number in bytes before the table of offsets.
    private func number(_ place: Int, _ width: Int) -> Int? {
        guard width <= table - place else { return nil }
        return PlainListReader.number(bytes, place, width)
    }

    private mutating func value(_ object: Int, _ depth: Int) -> PlainList? {
        guard object < count, depth < PlainListReader.greatestDepth,
            let place = PlainListReader.number(bytes, table + object * offsetWidth, offsetWidth),
            place >= 8, place < table
        else { return nil }
        let low = Int(bytes[place] & 15)
        switch bytes[place] >> 4 {
        case 0 where low == 8 || low == 9: return .flag(low == 9)
        case 1 where low <= 3: return integer(place + 1, 1 << low)
        case 2 where low == 2:
            return number(place + 1, 4).map {
                .single(Float(bitPattern: UInt32(truncatingIfNeeded: $0)))
            }
        case 2 where low == 3: return bits(place + 1).map { .real(Double(bitPattern: $0)) }
        default: return sized(place, low, depth)
        }
    }

    private func bits(_ place: Int) -> UInt64? {
        guard place <= table - 8 else { return nil }
        return bytes[place..<place + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func integer(_ place: Int, _ width: Int) -> PlainList? {
        if width == 8 { return bits(place).map { .integer(Int64(bitPattern: $0)) } }
        return number(place, width).map { .integer(Int64($0)) }
    }

    /// A value that has a count.
    private mutating func sized(_ place: Int, _ low: Int, _ depth: Int) -> PlainList? {
        var (start, size) = (place + 1, low)
        if low == 15 {
            guard start < table, bytes[start] & 0xf0 == 0x10 else { return nil }
            let width = 1 << Int(bytes[start] & 15)
            guard width <= 8, let count = number(start + 1, width) else { return nil }
            (start, size) = (start + 1 + width, count)
        }
        // What follows takes a byte of each at least.
        guard size <= table - start else { return nil }
        switch bytes[place] >> 4 {
        case 4: return .data(Data(bytes[start..<start + size]))
        case 5:
            let text = bytes[start..<start + size]
            return text.allSatisfy { $0 < 0x80 }
                ? .text(String(decoding: text, as: UTF8.self)) : nil
        case 6: return wideText(start, size)
        case 0xa: return members(start, size, depth).map { .list($0) }
        case 0xd: return entries(start, size, depth)
        default: return nil
        }
    }

    private func wideText(_ start: Int, _ size: Int) -> PlainList? {
        guard size <= (table - start) / 2 else { return nil }
        let units = (0..<size).map { index in
            UInt16(bytes[start + 2 * index]) << 8 | UInt16(bytes[start + 2 * index + 1])
        }
        return .text(String(decoding: units, as: UTF16.self))
    }

    private mutating func members(_ start: Int, _ size: Int, _ depth: Int) -> [PlainList]? {
        guard size <= (table - start) / referenceWidth, size <= allowance else { return nil }
        allowance -= size
        var members: [PlainList] = []
        members.reserveCapacity(size)
        for index in 0..<size {
            guard let object = number(start + index * referenceWidth, referenceWidth),
                let member = value(object, depth + 1)
            else { return nil }
            members.append(member)
        }
        return members
    }

    private mutating func entries(_ start: Int, _ size: Int, _ depth: Int) -> PlainList? {
        guard let keys = members(start, size, depth),
            let values = members(start + size * referenceWidth, size, depth)
        else { return nil }
        var entries: [(key: String, value: PlainList)] = []
        entries.reserveCapacity(size)
        for (key, value) in zip(keys, values) {
            guard let key = key.text else { return nil }
            entries.append((key, value))
        }
        return .table(entries)
    }
}
