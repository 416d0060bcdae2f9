// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Traps

extension NSManagedObject {
    /// Writes a typed value; an attribute of another numeric type takes it converted.
    ///
    /// Traps for a value that the attribute's type cannot hold.
    @inline(__always)
    final func write(
        _ key: borrowing PropertyKey, _ type: AttributeType, _ value: () -> Value
    ) {
        let position = key.field(in: runtimeReference)
        // SAFETY: the object keeps its runtime, see `runtimeReference`.
        if runtimeReference._withUnsafeGuaranteedRef({ $0.fieldTypes[position] == type }) {
            setField(position, value())
        } else {
            setField(position, converted(value(), runtime.fields[position]))
        }
    }

    /// Writes a value that is already in its modelled form, and takes it over.
    @inline(__always)
    final func write(
        _ key: borrowing PropertyKey, _ type: AttributeType, _ value: consuming Value
    ) {
        let position = key.field(in: runtimeReference)
        // SAFETY: the object keeps its runtime, see `runtimeReference`.
        if runtimeReference._withUnsafeGuaranteedRef({ $0.fieldTypes[position] == type }) {
            setField(position, value)
        } else {
            setField(position, converted(value, runtime.fields[position]))
        }
    }

    /// Writes no value.
    @usableFromInline
    final func writeNull(_ key: borrowing PropertyKey) {
        setField(key.field(in: runtimeReference), .null)
    }

    private final func converted(_ value: Value, _ field: FieldRuntime) -> Value {
        if runtime.isProbe { return .null }
        if let result = ValueConversion.value(ValueConversion.object(value), as: field.type) {
            return result
        }
        trap(
            "\(runtime.entity.name).\(field.name) is \(field.type) and cannot hold \(value)")
    }
}
