// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

// Properties of other types that are no optionals: values of transformable attributes, and numbers
// as objects. Disfavoured, so that the accessors of relationships and of plain values win; and so
// does the accessor of an optional, which these would serve too, by wrapping.

extension NSManagedObject {
    /// What a `@Managed` getter of an `NSNumber` or `NSDecimalNumber` calls; zero for no value.
    @_disfavoredOverload
    public final func __lode_read<Number: NSNumber>(_ key: borrowing PropertyKey) -> Number {
        let value: Number? = anyValue(key)
        if let value { return value }
        guard let zero = (Number.self == NSDecimalNumber.self ? NSDecimalNumber.zero : 0) as? Number
        else { trap("\(runtime.entity.name).\(key.name) of \(objectID) has no value") }
        return zero
    }

    /// What a `@Managed` getter of an array or a set of values calls; empty for no value.
    @_disfavoredOverload
    public final func __lode_read<List: ExpressibleByArrayLiteral>(
        _ key: borrowing PropertyKey
    ) -> List {
        let value: List? = anyValue(key)
        return value ?? []
    }

    /// What a `@Managed` getter of an array or a set of values calls; empty for no value.
    @_disfavoredOverload
    public final func __lode_read<List: ExpressibleByArrayLiteral & Decodable>(
        _ key: borrowing PropertyKey
    ) -> List {
        let value: List? = anyValue(key)
        return value ?? []
    }

    /// What a `@Managed` getter of a dictionary calls; empty for no value.
    @_disfavoredOverload
    public final func __lode_read<Table: ExpressibleByDictionaryLiteral>(
        _ key: borrowing PropertyKey
    ) -> Table {
        let value: Table? = anyValue(key)
        return value ?? [:]
    }

    /// What a `@Managed` getter of a dictionary calls; empty for no value.
    @_disfavoredOverload
    public final func __lode_read<Table: ExpressibleByDictionaryLiteral & Decodable>(
        _ key: borrowing PropertyKey
    ) -> Table {
        let value: Table? = anyValue(key)
        return value ?? [:]
    }

    /// What a `@Managed` getter of another value of a transformable attribute calls; traps for no
    /// value, unless the type is an optional, of which the compiler knows that it can be decoded.
    @_disfavoredOverload
    public final func __lode_read<Property: Decodable>(
        _ key: borrowing PropertyKey
    ) -> Property {
        if let optional = Property.self as? any OptionalKind.Type,
            let value = optional.anyValue(of: self, key) as? Property
        {
            return value
        }
        let value: Property? = anyValue(key)
        if let value { return value }
        if runtime.isProbe, let neutral = NeutralDecoder.value(Property.self) { return neutral }
        trap(
            "\(runtime.entity.name).\(key.name) of \(objectID) has no value; declare the "
                + "property optional, or give the attribute a default")
    }
}
