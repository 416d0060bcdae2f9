// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// Positions of properties of an entity: those of its layout's fields, then of its relationships.
struct PropertyPositions: Equatable {
    /// A bit for each of the first 64.
    var first: UInt64 = 0
    /// The others, ascending.
    var others: [Int] = []

    @inline(__always)
    mutating func reset(to bits: UInt64) {
        first = bits
        if !others.isEmpty { others = [] }
    }

    @inline(__always)
    func isSmallAndSame(as other: PropertyPositions) -> Bool {
        first == other.first && others.isEmpty && other.others.isEmpty
    }

    mutating func insert(_ position: Int) {
        if position < 64 {
            first |= 1 << UInt64(position)
        } else if !others.contains(position) {
            others.append(position)
            others.sort()
        }
    }

    func numbers(in table: EntityTable) -> [PropertyNumber] {
        let fields = table.layout.fields
        return ((0..<64).filter { first & 1 << UInt64($0) != 0 } + others).map {
            $0 < fields.count ? fields[$0].number : table.relationships[$0 - fields.count].number
        }
    }
}
