// SPDX-License-Identifier: Apache-2.0

import Schema

/// The header of a draft's allocation.
@frozen
public struct RecordDraftHeader {
    @usableFromInline let fieldCount: Int

    @inlinable
    init(fieldCount: Int) { self.fieldCount = fieldCount }
}

/// The values of an object that differ from its record, one optional value a field.
///
/// A missing element means "as in the record"; ``Schema/Value/null`` means "no value". All elements
/// lie behind the header in a single allocation, as every inserted object has a draft.
public final class RecordDraft: ManagedBuffer<RecordDraftHeader, Value?> {
    /// Makes a draft without a value.
    @inlinable
    public static func make(fieldCount: Int) -> RecordDraft {
        let buffer = RecordDraft.create(minimumCapacity: fieldCount) { _ in
            RecordDraftHeader(fieldCount: fieldCount)
        }
        buffer.withUnsafeMutablePointerToElements { elements in
            elements.initialize(repeating: nil, count: fieldCount)
        }
        return unsafeDowncast(buffer, to: RecordDraft.self)
    }

    /// Makes a draft that starts with the given values.
    @inlinable
    public static func make(values: ContiguousArray<Value?>) -> RecordDraft {
        let buffer = RecordDraft.create(minimumCapacity: values.count) { _ in
            RecordDraftHeader(fieldCount: values.count)
        }
        buffer.withUnsafeMutablePointerToElements { elements in
            values.withUnsafeBufferPointer { source in
                if let start = source.baseAddress {
                    elements.initialize(from: start, count: source.count)
                }
            }
        }
        return unsafeDowncast(buffer, to: RecordDraft.self)
    }

    deinit {
        _ = withUnsafeMutablePointers { header, elements in
            elements.deinitialize(count: header.pointee.fieldCount)
        }
    }

    /// The count of fields.
    @inlinable
    public var fieldCount: Int { header.fieldCount }

    /// The value of a field; `nil` when the record decides.
    @inlinable
    public subscript(field: Int) -> Value? {
        get {
            precondition(
                field >= 0 && field < header.fieldCount,
                "field \(field) of a draft of \(header.fieldCount) fields")
            return withUnsafeMutablePointerToElements { $0[field] }
        }
        set {
            precondition(
                field >= 0 && field < header.fieldCount,
                "field \(field) of a draft of \(header.fieldCount) fields")
            withUnsafeMutablePointerToElements { $0[field] = newValue }
        }
    }

    /// A draft with the same values.
    public func copy() -> RecordDraft {
        let result = RecordDraft.make(fieldCount: fieldCount)
        for field in 0..<fieldCount { result[field] = self[field] }
        return result
    }
}
