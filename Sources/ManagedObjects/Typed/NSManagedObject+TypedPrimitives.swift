// SPDX-License-Identifier: Apache-2.0

import Foundation

/// `@Managed` properties of raw values, as classes with accessors of their own declare them.
///
/// `@Managed private var primitiveTitle: String?` beside a `title` whose getter and setter use it,
/// between ``NSManagedObject/willChangeValue(forKey:)`` and its like.
extension NSManagedObject {
    /// What a `@Managed` setter asks whose property begins with `primitive`: whether it is the raw
    /// value of another property.
    public final func __lode_isPrimitive(_ key: borrowing PropertyKey) -> Bool {
        !runtime.isProbe && runtime.references["\(key.name)"] == nil
    }

    /// What a `@Managed` setter of a raw value calls: as ``setPrimitiveValue(_:forKey:)``.
    public final func __lode_writePrimitive(_ value: Any?, _ key: borrowing PropertyKey) {
        setPrimitiveValue(rawForm(value), forKey: key.modelledName(in: runtime))
    }

    /// The raw value of an enumeration; any other value as it is.
    private final func rawForm(_ value: Any?) -> Any? {
        guard let value = ValueConversion.unwrapped(value) else { return nil }
        guard !(type(of: value) is AnyClass), let raw = value as? any RawRepresentable else {
            return value
        }
        return raw.rawValue
    }
}
