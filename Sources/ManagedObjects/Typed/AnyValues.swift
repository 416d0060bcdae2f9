// SPDX-License-Identifier: Apache-2.0

import Traps

/// Optionals of any other type: values of transformable attributes, and numbers as objects.
///
/// They read and write what key-value coding does, without its accessors: a transformable's value,
/// an `NSNumber`, an `NSDecimalNumber`.
extension NSManagedObject {
    /// What a `@Managed` getter of an optional of another type calls; traps for a value that is not
    /// of the type.
    @_disfavoredOverload
    public final func __lode_read<Property>(_ key: borrowing PropertyKey) -> Property? {
        anyValue(key)
    }

    /// The value of a property as a type; traps for one of another type.
    final func anyValue<Property>(_ key: borrowing PropertyKey) -> Property? {
        if runtime.isProbe {
            _ = KeyPathProbe.noteField(key, runtime)
            return nil
        }
        guard let value = modelledValue(forKey: key.modelledName(in: runtime)) else { return nil }
        guard let property = value as? Property else {
            trap(
                "\(runtime.entity.name).\(key.name) of \(objectID) is a \(type(of: value)), which "
                    + "is no \(Property.self) as the property is declared")
        }
        return property
    }

    /// What a `@Managed` setter of an optional of another type calls; traps for a value that the
    /// attribute does not take.
    @_disfavoredOverload
    public final func __lode_write<Property>(
        _ value: consuming Property?, _ key: borrowing PropertyKey
    ) {
        setModelledValue(value, forKey: "\(key.name)")
    }

    /// What a `@Managed` getter of an `Any` calls; where there is no value, the `Any` is an
    /// optional without one, as with Core Data.
    @_disfavoredOverload
    public final func __lode_read(_ key: borrowing PropertyKey) -> Any {
        let value: Any? = anyValue(key)
        return value ?? (value as Any)
    }

    /// What a `@Managed` setter of an `Any` calls; traps for a value that the attribute does not
    /// take.
    @_disfavoredOverload
    public final func __lode_write(_ value: Any, _ key: borrowing PropertyKey) {
        setModelledValue(value, forKey: "\(key.name)")
    }
}
