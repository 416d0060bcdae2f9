// SPDX-License-Identifier: Apache-2.0

/// The elements of a JSON array of integers and strings, as ``RowValue/nested(_:)`` holds it.
package struct NestedElements: IteratorProtocol {
    /// One element.
    package enum Element: Equatable {
        case integer(Int64)
        /// Unescaped text.
        case text([UInt8])
        /// Anything else; the iteration ends there.
        case other
    }

    private var rest: ArraySlice<UInt8>

    /// Makes an iterator over compact, valid JSON; `nil` when it is no array.
    package init?(_ nested: ArraySlice<UInt8>) {
        guard nested.first == 0x5B else { return nil }
        rest = nested.dropFirst().dropLast()
    }

    package mutating func next() -> Element? {
        guard let first = rest.first else { return nil }
        let element = first == 0x22 ? readText() : readInteger()
        if rest.first == 0x2C {
            rest = rest.dropFirst()
        } else if element == .other {
            rest = []
        }
        return element
    }

    private mutating func readInteger() -> Element {
        let end = rest.firstIndex(of: 0x2C) ?? rest.endIndex
        guard case .integer(let value) = Numeral(rest[..<end]) else {
            rest = []
            return .other
        }
        rest = rest[end...]
        return .integer(value)
    }

    /// Undoes the escapes that ``JSONText`` writes; there are no others.
    private mutating func readText() -> Element {
        var text: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst(), byte != 0x22 {
            guard byte == 0x5C, let escape = rest.popFirst() else {
                text.append(byte)
                continue
            }
            switch escape {
            case 0x6E: text.append(0x0A)
            case 0x72: text.append(0x0D)
            case 0x74: text.append(0x09)
            case 0x75:
                let digits = rest.prefix(4).compactMap(hexDigit)
                rest = rest.dropFirst(4)
                text.append(digits.reduce(0) { $0 << 4 | $1 })
            default: text.append(escape)
            }
        }
        return .text(text)
    }
}
