// SPDX-License-Identifier: Apache-2.0

import Schema

extension RecordView {
    /// The text of a string or URI field.
    @inlinable
    public func string(at offset: Int) -> String {
        guard let bytes = heapBytes(at: offset) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The identifier of a UUID field.
    @inlinable
    public func uuid(at offset: Int) -> UUIDValue {
        UUIDValue(
            high: load(at: offset + SlotOffset.uuidHigh, as: UInt64.self).byteSwapped,
            low: load(at: offset + SlotOffset.uuidLow, as: UInt64.self).byteSwapped)
    }

    /// The number of a decimal field.
    public func decimal(at offset: Int) -> DecimalValue {
        DecimalValue(
            significand: load(at: offset + SlotOffset.significand, as: UInt128.self),
            exponent: load(at: offset + SlotOffset.exponent, as: Int16.self),
            isNegative: load(at: offset + SlotOffset.sign, as: UInt8.self) != 0)
    }

    /// The value of a field, boxed; `nil` when its bytes live outside the record.
    ///
    /// For code that does not know types beforehand. Typed reads go through `load` and `string`.
    /// The layout may be another one with the same fields, see ``offset(of:in:)``.
    public func value(_ position: Int, in layout: RecordLayout) -> Value? {
        if isNull(position) { return .null }
        let field = layout.fields[position]
        let offset = offset(of: field, in: layout)
        switch field.type {
        case .integer16: return .integer16(load(at: offset, as: Int16.self))
        case .integer32: return .integer32(load(at: offset, as: Int32.self))
        case .integer64: return .integer64(load(at: offset, as: Int64.self))
        case .decimal: return .decimal(decimal(at: offset))
        case .double: return .double(Double(bitPattern: load(at: offset, as: UInt64.self)))
        case .float: return .float(Float(bitPattern: load(at: offset, as: UInt32.self)))
        case .boolean: return .boolean(load(at: offset, as: UInt8.self) != 0)
        case .date: return .date(Double(bitPattern: load(at: offset, as: UInt64.self)))
        case .uuid: return .uuid(uuid(at: offset))
        case .objectID: return .objectID(ObjectKey(rawValue: load(at: offset, as: UInt64.self)))
        case .string: return .string(string(at: offset))
        case .uri: return .uri(string(at: offset))
        case .binaryData: return heapBytes(at: offset).map { .binaryData(Array($0)) }
        case .transformable: return heapBytes(at: offset).map { .transformable(Array($0)) }
        }
    }
}
