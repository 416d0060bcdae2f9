// SPDX-License-Identifier: Apache-2.0

import Schema
import Traps

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
        // SAFETY: `create` makes an object of the class that it is called on.
        return unsafeDowncast(buffer, to: RecordDraft.self)
    }

    /// Makes a draft in which no field has a value.
    @inlinable
    public static func makeNull(fieldCount: Int) -> RecordDraft {
        let buffer = RecordDraft.create(minimumCapacity: fieldCount) { _ in
            RecordDraftHeader(fieldCount: fieldCount)
        }
        buffer.withUnsafeMutablePointerToElements { elements in
            for index in 0..<fieldCount { (elements + index).initialize(to: .some(.null)) }
        }
        // SAFETY: `create` makes an object of the class that it is called on.
        return unsafeDowncast(buffer, to: RecordDraft.self)
    }

    /// Makes a draft that starts with the given values.
    @inlinable
    public static func make(values: ContiguousArray<Value?>) -> RecordDraft {
        let buffer = RecordDraft.create(minimumCapacity: values.count) { _ in
            RecordDraftHeader(fieldCount: values.count)
        }
        buffer.withUnsafeMutablePointerToElements { elements in
            // One by one: copying all at once goes through the type's witness table.
            for index in values.indices { (elements + index).initialize(to: values[index]) }
        }
        // SAFETY: `create` makes an object of the class that it is called on.
        return unsafeDowncast(buffer, to: RecordDraft.self)
    }

    deinit {
        withUnsafeMutablePointers { header, elements in
            // One by one, for the same reason as in `make(values:)`.
            for index in 0..<header.pointee.fieldCount {
                _ = (elements + index).move()
            }
        }
    }

    /// The count of fields.
    ///
    /// Read through a pointer, as the `header` property checks for overlapping accesses each time.
    @inlinable
    public var fieldCount: Int { withUnsafeMutablePointerToHeader { $0.pointee.fieldCount } }

    /// The value of a field; `nil` when the record decides.
    @inlinable
    public subscript(field: Int) -> Value? {
        get {
            withUnsafeMutablePointers { header, elements in
                require(
                    field >= 0 && field < header.pointee.fieldCount,
                    "field \(field) of a draft of \(header.pointee.fieldCount) fields")
                return elements[field]
            }
        }
        set {
            withUnsafeMutablePointers { header, elements in
                require(
                    field >= 0 && field < header.pointee.fieldCount,
                    "field \(field) of a draft of \(header.pointee.fieldCount) fields")
                elements[field] = newValue
            }
        }
    }

    /// Replaces the value of a field and returns the old one.
    ///
    /// - Parameter draft: Not counted, as each setter of a property would do so: the caller keeps
    ///   it.
    @inlinable
    @inline(__always)
    // SAFETY: as said; nothing else runs until the value is in its place, to which it is moved
    // outside of the closure, which would count references to it.
    public static func exchange(
        _ draft: Unmanaged<RecordDraft>, _ field: Int, _ value: consuming Value
    ) -> Value? {
        let place = draft._withUnsafeGuaranteedRef { draft in
            draft.withUnsafeMutablePointers { header, elements in
                require(
                    field >= 0 && field < header.pointee.fieldCount,
                    "field \(field) of a draft of \(header.pointee.fieldCount) fields")
                return elements + field
            }
        }
        let old = place.move()
        place.initialize(to: value)
        return old
    }

    /// A draft with the same values.
    public func copy() -> RecordDraft {
        let result = RecordDraft.make(fieldCount: fieldCount)
        for field in 0..<fieldCount { result[field] = self[field] }
        return result
    }
}
