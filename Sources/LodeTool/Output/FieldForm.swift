// SPDX-License-Identifier: Apache-2.0

import Lode

/// What the bytes of a component's field mean, by the name that its type has in the file.
indirect enum FieldForm: Equatable, Sendable {
    case integer(byteCount: Int, isSigned: Bool)
    /// A floating point number of so many bytes.
    case real(byteCount: Int)
    case boolean
    case gameObject
    /// An enumeration of cases alone; a value is the number of one of them.
    case cases([Substring])
    case optional(FieldForm)
    /// A vector of so many numbers, in the room of a power of two of them.
    case vector(FieldForm, count: Int)

    private static let plain: [Substring: FieldForm] = [
        "Int8": .integer(byteCount: 1, isSigned: true),
        "Int16": .integer(byteCount: 2, isSigned: true),
        "Int32": .integer(byteCount: 4, isSigned: true),
        "Int64": .integer(byteCount: 8, isSigned: true),
        "Int": .integer(byteCount: 8, isSigned: true),
        "UInt8": .integer(byteCount: 1, isSigned: false),
        "UInt16": .integer(byteCount: 2, isSigned: false),
        "UInt32": .integer(byteCount: 4, isSigned: false),
        "UInt64": .integer(byteCount: 8, isSigned: false),
        "UInt": .integer(byteCount: 8, isSigned: false),
        "Float16": .real(byteCount: 2), "Float": .real(byteCount: 4),
        "Double": .real(byteCount: 8), "Bool": .boolean, "GameObjectID": .gameObject,
    ]

    /// The form of a type; nil for one whose bytes the tool cannot read.
    init?(_ type: some StringProtocol) {
        let type = Substring(type)
        if let known = FieldForm.plain[type] {
            self = known
        } else if type.hasSuffix("}"), let start = type.firstIndex(of: "{") {
            let content = type[type.index(after: start)...].dropLast()
            if type.hasPrefix("Optional<") {
                // An optional enumeration of cases alone: the first number that is left is nil.
                guard content.hasPrefix("some("), content.hasSuffix("),none"),
                    let some = FieldForm(content.dropFirst(5).dropLast(6)), case .cases = some
                else { return nil }
                self = .optional(some)
                return
            }
            let names = content.split(separator: ",", omittingEmptySubsequences: false)
            // What comes with a case lies in the same bytes as its number, and braces may hold the
            // fields of a structure as well.
            guard names.count > 1,
                names.allSatisfy({ $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } })
            else { return nil }
            self = .cases(names)
        } else if type.hasPrefix("Optional<"), type.hasSuffix(">") {
            guard let some = FieldForm(type.dropFirst(9).dropLast()), !some.isCompound else {
                return nil
            }
            self = .optional(some)
        } else if type.hasPrefix("SIMD"), type.hasSuffix(">"), let start = type.firstIndex(of: "<")
        {
            guard let count = Int(type[..<start].dropFirst(4)), (2...64).contains(count),
                let number = FieldForm.plain[type[type.index(after: start)...].dropLast()]
            else { return nil }
            self = .vector(number, count: count)
        } else {
            return nil
        }
    }

    private var isCompound: Bool {
        switch self {
        case .optional, .vector: true
        default: false
        }
    }

    /// The bytes of a value.
    var byteCount: Int {
        switch self {
        case .integer(let count, _), .real(let count): count
        case .boolean: 1
        case .gameObject: 8
        case .cases(let names): names.count <= 256 ? 1 : 2
        case .optional(let some): some.byteCount + (some.codeOfNone == nil ? 1 : 0)
        case .vector(let number, let count):
            number.byteCount * (count == 3 ? 4 : count)
        }
    }

    /// The number that stands for nil in the bytes of a value, where one is left over.
    private var codeOfNone: UInt64? {
        switch self {
        case .boolean: 2
        case .cases(let names): [256, 65_536].contains(names.count) ? nil : UInt64(names.count)
        default: nil
        }
    }

    /// What the bytes of a value say.
    func value(in bytes: ArraySlice<UInt8>) -> ValueText {
        let bits = bytes.prefix(min(byteCount, 8)).reversed()
            .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch self {
        case .boolean: return .boolean(bits & 1 == 1)
        case .integer(_, isSigned: false): return .number("\(bits)")
        case .integer(let count, isSigned: true):
            let unused = UInt64(64 - 8 * count)
            return .number("\(Int64(bitPattern: bits << unused) >> Int64(unused))")
        case .real(byteCount: 8):
            return ValueText(NSNumber(value: Double(bitPattern: bits)), .doubleAttributeType)
        case .real(byteCount: 4):
            let number = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
            return ValueText(NSNumber(value: number), .floatAttributeType)
        case .real:
            let number = Float(Float16(bitPattern: UInt16(truncatingIfNeeded: bits)))
            return ValueText(NSNumber(value: number), .floatAttributeType)
        case .gameObject: return .text("\(bits >> 48)/p\(bits & (1 << 48 - 1))")
        case .cases(let names):
            return bits < names.count ? .text(String(names[Int(bits)])) : .text("case \(bits)")
        case .optional(let some):
            let code = bytes.dropFirst(some.byteCount).first
            let isNone = some.codeOfNone.map { $0 == bits } ?? (code != 0)
            return isNone ? .null : some.value(in: bytes.prefix(some.byteCount))
        case .vector(let number, let count):
            let values = (0..<count).map { index in
                number.value(in: bytes.dropFirst(index * number.byteCount)).plain
            }
            return .text("[\(values.joined(separator: ", "))]")
        }
    }

    /// Whether cells stand to the right.
    var isNumber: Bool {
        switch self {
        case .integer, .real: true
        case .optional(let some): some.isNumber
        default: false
        }
    }
}
