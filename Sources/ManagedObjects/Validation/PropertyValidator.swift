// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A class's own check of one property, found by ``NSManagedObject/propertyValidators``.
///
/// What a method named `validate<Key>` is where there is an Objective-C runtime to find it:
///
/// ```swift
/// final class Person: NSManagedObject {
///     @Managed var age: Int32
///
///     func validateAge(_ value: inout Any?) throws {
///         if let age = value as? Int, age > 150 { value = 150 }
///     }
///
///     override class var propertyValidators: [PropertyValidator] {
///         super.propertyValidators + [PropertyValidator("age", Person.validateAge)]
///     }
/// }
/// ```
public struct PropertyValidator: Sendable {
    /// The property's name.
    public let key: String
    let validate: @Sendable (NSManagedObject, inout Any?) throws -> Void

    /// Registers a method as the check of a property.
    ///
    /// The method may replace the value, and throws to refuse it. It runs after the model's rules.
    public init<Object: NSManagedObject>(
        _ key: String, _ method: @escaping @Sendable (Object) -> (inout Any?) throws -> Void
    ) {
        self.key = key
        validate = { object, value in
            guard let object = object as? Object else { return }
            try method(object)(&value)
        }
    }
}
