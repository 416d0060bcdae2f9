// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// Writes a property list in the binary form, byte for byte as Foundation does.
///
/// So what older versions have written is the same value for a context, and Foundation reads what
/// ``PlainListReader`` does not.
struct PlainListWriter {
    private struct Object {
        let value: PlainList
        /// The numbers of the keys and then of the values, or of the members.
        var references: [Int] = []
    }

    /// What Foundation has one object of: equal ones refer to the first.
    private enum Unique: Hashable {
        case integer(Int64)
        case real(UInt64)
        case single(UInt32)
        case flag(Bool)

        init?(_ value: PlainList) {
            switch value {
            case .integer(let number) where -1...12 ~= number: self = .integer(number)
            case .real(let number) where Unique.isCommon(number):
                self = .real(number.bitPattern)
            case .single(let number) where Unique.isCommon(Double(number)):
                self = .single(number.bitPattern)
            case .flag(let flag): self = .flag(flag)
            default: return nil
            }
        }

        private static func isCommon(_ number: Double) -> Bool {
            number == 1 || number == 0 && number.sign == .plus || !number.isFinite
        }
    }

    private var objects: [Object] = []
    private var numbers: [Unique: Int] = [:]
    private var bytes = Array("bplist00".utf8)

    /// The bytes of a property list.
    static func bytes(of list: PlainList) -> [UInt8] {
        var writer = PlainListWriter()
        _ = writer.number(of: list)
        writer.write()
        return writer.bytes
    }

    /// The number of the object that a value becomes: containers come before what they have.
    private mutating func number(of value: PlainList) -> Int {
        let number = objects.count
        if let unique = Unique(value) {
            if let known = numbers[unique] {
                // Foundation writes each flag all the same.
                if case .flag = unique { objects.append(Object(value: value)) }
                return known
            }
            numbers[unique] = number
        }
        objects.append(Object(value: value))
        var references: [Int] = []
        switch value {
        case .list(let members):
            references.reserveCapacity(members.count)
            for member in members { references.append(self.number(of: member)) }
        case .table(let entries):
            references.reserveCapacity(2 * entries.count)
            for entry in entries { references.append(self.number(of: .text(entry.key))) }
            for entry in entries { references.append(self.number(of: entry.value)) }
        default: return number
        }
        objects[number].references = references
        return number
    }

    private mutating func write() {
        let width = PlainListWriter.width(of: objects.count)
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        for object in objects {
            offsets.append(bytes.count)
            write(object.value)
            for reference in object.references { append(reference, width) }
        }
        let table = bytes.count
        let offsetWidth = PlainListWriter.width(of: table)
        for offset in offsets { append(offset, offsetWidth) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(width)]
        for number in [objects.count, 0, table] { append(number, 8) }
    }

    /// How many bytes a number takes.
    private static func width(of number: Int) -> Int {
        if number <= 0xff { return 1 }
        if number <= 0xffff { return 2 }
        return number <= 0xffff_ffff ? 4 : 8
    }

    /// Writes a value, or the head of a container.
    private mutating func write(_ value: PlainList) {
        switch value {
        case .text(let text): write(text)
        case .integer(let number): write(number)
        case .real(let number):
            bytes.append(0x23)
            append(Int(truncatingIfNeeded: number.bitPattern), 8)
        case .single(let number):
            bytes.append(0x22)
            append(Int(number.bitPattern), 4)
        case .flag(let flag): bytes.append(flag ? 0x09 : 0x08)
        case .data(let data):
            head(0x40, data.count)
            bytes.append(contentsOf: data)
        case .list(let members): head(0xa0, members.count)
        case .table(let entries): head(0xd0, entries.count)
        case .other(let value): trap("\(value) was read from a property list; it is not written")
        }
    }

    private mutating func write(_ text: String) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            head(0x50, text.utf8.count)
            bytes.append(contentsOf: text.utf8)
        } else {
            head(0x60, text.utf16.count)
            for unit in text.utf16 { append(Int(unit), 2) }
        }
    }

    private mutating func write(_ number: Int64) {
        // Negative ones have all their bytes.
        let width = number < 0 ? 8 : PlainListWriter.width(of: Int(number))
        bytes.append(0x10 | UInt8(width.trailingZeroBitCount))
        append(Int(number), width)
    }

    /// A mark with a count, which follows if it is large.
    private mutating func head(_ mark: UInt8, _ count: Int) {
        if count < 15 { return bytes.append(mark | UInt8(count)) }
        bytes.append(mark | 15)
        write(Int64(count))
    }

    /// The last bytes of a number, the highest first.
    private mutating func append(_ number: Int, _ width: Int) {
        for place in (0..<width).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place)))
        }
    }
}
