// SPDX-License-Identifier: Apache-2.0

import Schema

/// Where each field of a record lies; every record names the layout it was written with.
///
/// A layout is final once a record uses it. A changed model gets a new layout with a new number,
/// and all records of the entity get it in the same transaction, see ``RecordConversion``.
public final class RecordLayout: Sendable {
    /// One slot.
    @frozen
    public struct Field: Sendable {
        /// The property's number in its store.
        public let number: PropertyNumber
        /// The type of the slot.
        public let type: AttributeType
        /// Whether binary values of any size live outside the record.
        public let allowsExternalStorage: Bool
        /// The slot's offset from the start of the record, in bytes.
        public let offset: Int
        /// Where the slot would be if the layout were wide, or narrow if it is wide.
        @usableFromInline let otherOffset: Int
    }

    /// The layout's number in its store.
    public let number: UInt16
    /// Whether a value of any length has a slot of 4 bytes, and not of 8 as in files that began
    /// before version 11; see ``NarrowSlot``.
    public let isNarrow: Bool
    /// The slots in record order; a field's position is its bit in the null bitmap.
    public let fields: ContiguousArray<Field>
    /// The size of header, bitmap and slots; the heap begins here.
    public let fixedByteCount: Int
    /// A bit for each position whose values lie on the heap; that of 63 stands for all beyond, too.
    let heapFields: UInt64

    /// The size of the record header in bytes; the null bitmap follows it.
    @inlinable
    public static var headerByteCount: Int { RecordOffset.nullBitmap }

    /// Layouts with this number and greater ones are narrow.
    @inlinable
    public static var firstNarrowNumber: UInt16 { 1 << 15 }

    /// Places fields one after the other.
    ///
    /// - Parameters:
    ///   - number: The layout's number in its store, which also says whether it is narrow.
    ///   - fields: Property number, slot type and external storage of each field, in record order.
    public init(
        number: UInt16, fields: [(PropertyNumber, AttributeType, allowsExternalStorage: Bool)]
    ) {
        self.number = number
        isNarrow = number >= RecordLayout.firstNarrowNumber
        var offset = RecordLayout.headerByteCount + (fields.count + 7) / 8
        var otherOffset = offset
        var placed: ContiguousArray<Field> = []
        for (number, type, external) in fields {
            placed.append(
                Field(
                    number: number, type: type, allowsExternalStorage: external, offset: offset,
                    otherOffset: otherOffset))
            offset += type.slotWidth(isNarrow: isNarrow)
            otherOffset += type.slotWidth(isNarrow: !isNarrow)
        }
        self.fields = placed
        heapFields = placed.indices.reduce(0) { mask, position in
            position >= 63 || placed[position].type.isVariableLength
                ? mask | 1 << UInt64(min(position, 63)) : mask
        }
        fixedByteCount = offset
    }
}

extension RecordLayout {
    /// The same fields under the number that they have in another store.
    public func numbered(_ number: UInt16) -> RecordLayout {
        RecordLayout(
            number: number, fields: fields.map { ($0.number, $0.type, $0.allowsExternalStorage) })
    }

    /// Whether records of another layout can be read by this one, but for the number.
    public func hasSameSlots(as other: RecordLayout) -> Bool {
        isNarrow == other.isNarrow && fields.count == other.fields.count
            && zip(fields, other.fields).allSatisfy { $0.number == $1.number && $0.type == $1.type }
    }
}

extension AttributeType {
    /// The width of a slot in bytes.
    fileprivate func slotWidth(isNarrow: Bool) -> Int {
        isNarrow && isVariableLength ? NarrowSlot.width : slotWidth
    }
}
