// SPDX-License-Identifier: Apache-2.0

import Schema
import Traps

/// Keys of objects outside a coordinator's main store.
///
/// A key of the main store is the key in its file. Every further store has a tag, which takes seven
/// bits above the row, and its keys name entities by their ordinals in the model. So one table of a
/// context holds the objects of all stores, and one test tells the main store's from the others.
extension ObjectKey {
    private static var tagShift: UInt64 { 40 }
    private static var tagMask: UInt64 { 0x7F << tagShift }
    /// The most further stores that a coordinator can tell apart.
    static var greatestTag: Int { 0x7F }

    /// The first row that has no room beside a tag; no store comes near it.
    static var rowLimit: UInt64 { 1 << tagShift }

    /// The key of an object of a further store.
    init(tag: Int, ordinal: Int, row: UInt64) {
        require(
            row < ObjectKey.rowLimit, "row \(row) of a further store needs more than 40 bits")
        self.init(
            entity: EntityNumber(rawValue: UInt16(ordinal + 1)),
            row: UInt64(tag) << ObjectKey.tagShift | row)
    }

    /// Whether the key is one that the main store gives: without a tag, and not temporary.
    @inline(__always)
    var isOfMainStore: Bool { rawValue & (ObjectKey.temporaryBit | ObjectKey.tagMask) == 0 }

    /// Whether the object is saved in a further store.
    @inline(__always)
    var isElsewhere: Bool {
        let bits = rawValue & (ObjectKey.temporaryBit | ObjectKey.tagMask)
        return bits != 0 && bits < ObjectKey.temporaryBit
    }

    /// The tag of the store of a saved object; 0 for the main store.
    var tag: Int { isElsewhere ? Int((rawValue & ObjectKey.tagMask) >> ObjectKey.tagShift) : 0 }

    /// The ordinal of the entity of an object of a further store.
    var ordinalElsewhere: Int { ObjectKey.ordinalElsewhere(entity) }

    /// The ordinal of the entity that keys of further stores call by a number.
    static func ordinalElsewhere(_ number: EntityNumber) -> Int { Int(number.rawValue) - 1 }

    /// The row without the tag.
    var plainRow: UInt64 { isElsewhere ? row & ((1 << ObjectKey.tagShift) - 1) : row }
}
