// SPDX-License-Identifier: Apache-2.0

import Traps

/// Enumerations and other types over a raw value, kept as that value.
extension NSManagedObject {
    /// What a `@Managed` getter of an enumeration calls; traps for a raw value without a case.
    ///
    /// An attribute without a value reads as the case of 0 or of the empty text.
    public final func __lode_read<Property: RawRepresentable>(
        _ key: borrowing PropertyKey
    ) -> Property where Property.RawValue: ManagedValue {
        let raw: Property.RawValue = __lode_read(key)
        guard let value = Property(rawValue: raw) else {
            if runtime.isProbe, let value = ProbeSamples.anyCase(of: Property.self) { return value }
            trap(
                "\(runtime.entity.name).\(key.name) of \(objectID) is \(raw), and \(Property.self) "
                    + "has no case for it; declare the property optional")
        }
        return value
    }

    /// What a `@Managed` setter of an enumeration calls.
    public final func __lode_write<Property: RawRepresentable>(
        _ value: Property, _ key: borrowing PropertyKey
    ) where Property.RawValue: ManagedValue {
        __lode_write(value.rawValue, key)
    }

    /// What a `@Managed` getter of an optional enumeration calls; nil for no value, and for a raw
    /// value without a case.
    public final func __lode_read<Property: RawRepresentable>(
        _ key: borrowing PropertyKey
    ) -> Property? where Property.RawValue: ManagedOptionalWrapped {
        let raw: Property.RawValue? = __lode_read(key)
        return raw.flatMap { Property(rawValue: $0) }
    }

    /// What a `@Managed` setter of an optional enumeration calls.
    public final func __lode_write<Property: RawRepresentable>(
        _ value: Property?, _ key: borrowing PropertyKey
    ) where Property.RawValue: ManagedOptionalWrapped {
        let raw: Property.RawValue? = value?.rawValue
        __lode_write(raw, key)
    }
}
