// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A property of a class that key-value coding goes through, found by
/// ``NSManagedObject/keyValueAccessors``.
///
/// Where there is an Objective-C runtime, `value(forKey:)` finds a class's own accessors by their
/// names. Here a class registers those that shall be found:
///
/// ```swift
/// final class Person: NSManagedObject {
///     @Managed var first: String
///     @Managed var last: String
///     var fullName: String { "\(first) \(last)" }
///
///     override class var keyValueAccessors: [KeyValueAccessor] {
///         super.keyValueAccessors + [KeyValueAccessor("fullName", \Person.fullName)]
///     }
/// }
/// ```
///
/// An accessor of a modelled key takes precedence over the stored value. Properties with
/// `@Managed` need no registration: their values are the stored ones.
public struct KeyValueAccessor: Sendable {
    /// The outcome of setting a value.
    enum Outcome {
        case done
        case readOnly
        case isNil
        case wrongClass
    }

    /// The key.
    public let key: String
    let valueType: String
    let get: @Sendable (NSManagedObject) -> Any?
    let set: @Sendable (NSManagedObject, Any?) -> Outcome

    /// Registers a property that can only be read.
    public init<Object: NSManagedObject, Property>(
        _ key: String, _ property: any KeyPath<Object, Property> & Sendable
    ) {
        self.key = key
        valueType = "\(Property.self)"
        get = { object in
            (object as? Object).flatMap { ValueConversion.boxed($0[keyPath: property]) }
        }
        set = { _, _ in .readOnly }
    }

    /// Registers a property that can be read and set.
    public init<Object: NSManagedObject, Property>(
        _ key: String, _ property: any ReferenceWritableKeyPath<Object, Property> & Sendable
    ) {
        self.key = key
        valueType = "\(Property.self)"
        get = { object in
            (object as? Object).flatMap { ValueConversion.boxed($0[keyPath: property]) }
        }
        set = { object, value in
            guard let object = object as? Object else { return .wrongClass }
            let boxed = ValueConversion.boxed(value)
            if boxed == nil, !(Property.self is any ExpressibleByNilLiteral.Type) { return .isNil }
            guard let typed = (boxed as? Property) ?? (value as? Property) else {
                return .wrongClass
            }
            object[keyPath: property] = typed
            return .done
        }
    }
}
