// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Stores values of a type that says itself how it is encoded.
///
/// ```swift
/// ValueTransformer.setValueTransformer(
///     CodableValueTransformer<Place>(), forName: NSValueTransformerName("Place"))
/// place.valueTransformerName = "Place"
/// ```
///
/// The data is JSON. Data of another form reads as no value.
public final class CodableValueTransformer<Value: Codable>: ValueTransformer {
    /// `NSData`.
    public override class func transformedValueClass() -> AnyClass { NSData.self }

    /// The value as JSON; nil for a value of another type.
    public override func transformedValue(_ value: Any?) -> Any? {
        (value as? Value).flatMap { try? JSONEncoder().encode([$0]) }
    }

    /// The value of JSON.
    public override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { try? JSONDecoder().decode([Value].self, from: $0).first }
    }
}
