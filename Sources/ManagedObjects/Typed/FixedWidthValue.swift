// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// A value that fills its slot of a record, so that it is loaded in place.
///
/// Each type has accessors of its own all the same, of one line. Those of a property are compiled
/// in the program's module and call them: as functions of a known type, by one jump. If the types
/// shared them as well, as members of this protocol, the call would go through a witness, with the
/// metadata of the type and a result in memory; and they cannot be inlinable, as they lead to all
/// that a fault needs. So what is shared ends at the borders of this module.
protocol FixedWidthValue {
    associatedtype Slot: FixedWidthInteger & BitwiseCopyable
    /// The type of the attributes whose slots hold it.
    static var attributeType: AttributeType { get }
    /// The value of a slot's bits.
    static func value(of slot: Slot) -> Self
    /// The value of an attribute of any type; nil where it has none of this one.
    static func converted(_ value: Value) -> Self?
}

extension FixedWidthValue {
    /// The value of a property: from the record where it may be read in place.
    @inline(__always)
    static func loaded(_ object: NSManagedObject, _ key: borrowing PropertyKey) -> Self? {
        guard let slot = object.readySlot(key) else { return lookedFor(object, key) }
        return slot.isNull ? nil : value(of: slot.load(Slot.self))
    }

    // Not inlined: what calls anything saves registers first, which would be done for each load.
    @inline(never)
    private static func lookedFor(_ object: NSManagedObject, _ key: borrowing PropertyKey) -> Self?
    {
        guard let slot = object.fastSlot(key, attributeType) else { return found(object, key) }
        return slot.isNull ? nil : value(of: slot.load(Slot.self))
    }

    // Not inlined: the room that it needs on the stack would be made for each object.
    @inline(never)
    private static func found(_ object: NSManagedObject, _ key: borrowing PropertyKey) -> Self? {
        converted(object.value(key))
    }
}
