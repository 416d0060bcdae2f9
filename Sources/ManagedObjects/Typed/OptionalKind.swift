// SPDX-License-Identifier: Apache-2.0

/// An optional's type where only `Any.Type` or a generic parameter is known.
protocol OptionalKind {
    static var wrapped: Any.Type { get }
    /// The value of a property as the optional.
    static func anyValue(of object: NSManagedObject, _ key: borrowing PropertyKey) -> Any
}

extension Optional: OptionalKind {
    static var wrapped: Any.Type { Wrapped.self }

    static func anyValue(of object: NSManagedObject, _ key: borrowing PropertyKey) -> Any {
        let value: Wrapped? = object.anyValue(key)
        return value as Any
    }
}
