// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Traps

/// A type that a `@Managed` property may have.
public protocol ManagedValue {
    /// Reads the property of a key.
    static func __lode_read(_ object: NSManagedObject, _ key: borrowing PropertyKey) -> Self
    /// Writes the property of a key.
    static func __lode_write(
        _ value: consuming Self, _ object: NSManagedObject, _ key: borrowing PropertyKey)
}

/// A managed type that also makes sense as an optional: nil stands for no value.
public protocol ManagedOptionalWrapped {
    /// Reads the property of a key; nil for no value.
    static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Self?
    /// Writes the property of a key; nil for no value.
    static func __lode_writeOptional(
        _ value: Self?, _ object: NSManagedObject, _ key: borrowing PropertyKey)
}

extension ManagedOptionalWrapped where Self: ManagedValue {
    /// Writes the property of a key; nil for no value.
    @inlinable
    public static func __lode_writeOptional(
        _ value: Self?, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        guard let value else { return object.writeNull(key) }
        __lode_write(value, object, key)
    }
}

extension Optional: ManagedValue where Wrapped: ManagedOptionalWrapped {
    /// Reads the property of a key.
    @inlinable
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Self {
        Wrapped.__lode_readOptional(object, key)
    }

    /// Writes the property of a key.
    @inlinable
    public static func __lode_write(
        _ value: Self, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        Wrapped.__lode_writeOptional(value, object, key)
    }
}

extension NSManagedObject {
    /// What a `@Managed` getter calls.
    @inlinable
    public final func __lode_read<Property: ManagedValue>(
        _ key: borrowing PropertyKey
    ) -> Property {
        Property.__lode_read(self, key)
    }

    /// What a `@Managed` setter calls.
    @inlinable
    public final func __lode_write<Property: ManagedValue>(
        _ value: consuming Property, _ key: borrowing PropertyKey
    ) {
        Property.__lode_write(value, self, key)
    }
}

/// What the accessors of a property of any other type resolve to, for a clear compiler error.
extension NSManagedObject {
    /// Not for use.
    @available(
        *, unavailable,
        message: """
            a @Managed property is a String, Int16, Int32, Int64, Int, Double, Float, Bool, Date, \
            Data, UUID, URL, Decimal, an enum over one of these, a Codable value, an optional of \
            these or of any other type, a Set or array of managed objects, NSSet or NSOrderedSet
            """
    )
    @_disfavoredOverload
    public final func __lode_read<Property>(_ key: borrowing PropertyKey) -> Property {
        trap("no accessor for \(Property.self)")
    }

    /// Not for use.
    @available(*, unavailable, message: "see the error of the getter")
    @_disfavoredOverload
    public final func __lode_write<Property>(
        _ value: consuming Property, _ key: borrowing PropertyKey
    ) {
        trap("no accessor for \(Property.self)")
    }
}

extension NSManagedObject {
    /// The value of a key's field, resolved for this object's entity.
    @inline(__always)
    final func value(_ key: borrowing PropertyKey) -> Value {
        fieldValue(key.field(in: runtimeReference))
    }

    /// The slot of a key that may be loaded directly, where nothing has to be called for that.
    ///
    /// It is that of an object that was read before and not changed, or of a fault whose bytes are
    /// at hand and whose class does nothing as it fires, which it does. It is nil for any other
    /// object, and for a key that was not used of its entity last.
    @inline(__always)
    final func readySlot(_ key: borrowing PropertyKey) -> RecordSlot? {
        let entry = key.cached(for: runtimeReference)
        guard entry & PropertyKey.fastBit != 0, let contextReference, let record else { return nil }
        // SAFETY: the context does not go while its object is used, see `contextReference`.
        let isReady = contextReference._withUnsafeGuaranteedRef { context in
            let stamp = context.stamp
            return (readStamp == stamp && stamp != 0)
                || (flags == .fault && boundStamp == stamp && wakesPlainlyAsKnown
                    && context.finishFiringQuietly(self, record))
        }
        // The bytes are looked at only now that they are known to be there.
        guard isReady, record.isNarrow else { return nil }
        return RecordSlot(
            record: record, position: Int(entry >> 16) & 0x7FFF, offset: Int(entry & 0xFFFF))
    }

    /// The slot of a key that may be loaded directly as a type; nil where a draft or another
    /// modelled type stands in between.
    @inline(__always)
    final func fastSlot(_ key: borrowing PropertyKey, _ type: AttributeType) -> RecordSlot? {
        let entry = key.cached(for: runtimeReference)
        guard entry & PropertyKey.fastBit != 0, let contextReference else {
            noteFast(key, type)
            return nil
        }
        // SAFETY: the context does not go while its object is used, see `contextReference`.
        let stamp = contextReference._withUnsafeGuaranteedRef { $0.stamp }
        if readStamp != stamp || readStamp == 0 {
            guard prepareRead() else { return nil }
        }
        guard let record else { return nil }
        let position = Int(entry >> 16) & 0x7FFF
        return RecordSlot(
            record: record, position: position,
            offset: record.isNarrow ? Int(entry & 0xFFFF) : wideOffset(position, record))
    }

    /// Where a record of a file that began before narrow slots has a field.
    @inline(never)
    private final func wideOffset(_ position: Int, _ record: RecordView) -> Int {
        record.offset(of: runtime.layout.fields[position], in: runtime.layout)
    }

    /// Fires a fault or finds the record after the snapshot has moved; whether it may be read as
    /// is.
    @inline(never)
    private final func prepareRead() -> Bool {
        if flags == .fault, record != nil, fireWithRecord() { return true }
        // SAFETY: a block keeps the context. Outside blocks the program does, at least until
        // awakeFromFetch, after which nothing here uses it.
        contextReference?._withUnsafeGuaranteedRef { context in
            context.checkQueue(self)
            if flags.contains(.fault) { context.fire(self) }
        }
        // Asked for again, as awakeFromFetch may have let the context go.
        guard let contextReference, !hasDraft, extras?.ownedRecord == nil,
            !flags.contains(.inaccessible)
        else { return false }
        contextReference._withUnsafeGuaranteedRef { context in
            if boundStamp != context.stamp || record == nil { context.bind(self) }
            readStamp = context.uncheckedStamp
        }
        return record != nil
    }

    /// Fires a fault whose bytes are at hand, the usual case of a walk; false where there is more
    /// to look at before the slot may be read.
    @inline(__always)
    private final func fireWithRecord() -> Bool {
        // SAFETY: a block keeps the context. Outside blocks the program does, also throughout
        // awakeFromFetch.
        contextReference?._withUnsafeGuaranteedRef { context in
            let stamp = context.stamp
            guard boundStamp == stamp, context.source == nil, !context.queue.isChecked,
                let bytes = record
            else { return false }
            if wakesPlainly, context.finishFiringQuietly(self, bytes) { return true }
            context.finishFiring(self)
            // Asked for afterwards, as awakeFromFetch may have done anything.
            return contextReference != nil && readStamp == stamp && boundStamp == stamp
                && context.stamp == stamp && record != nil && !hasDraft
        } ?? false
    }

    /// Caches that a key's slot may be loaded directly as a type.
    @inline(never)
    private final func noteFast(_ key: borrowing PropertyKey, _ type: AttributeType) {
        // A probe is asked again, for the value.
        if runtime.isProbe { return }
        let position = key.field(in: runtimeReference)
        guard position < runtime.layout.fields.count, runtime.fieldTypes[position] == type else {
            return
        }
        key.remember(position, offset: runtime.layout.fields[position].offset, for: runtime)
    }
}
