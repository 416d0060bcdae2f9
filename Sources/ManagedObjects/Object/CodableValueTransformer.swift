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
/// The data is JSON with its keys in order, so that a structure or a dictionary that is set to what
/// it was is no change, in whichever process. A set has no order: one of texts or numbers is none
/// either, one of other members may count as one. Data of another form reads as no value.
public final class CodableValueTransformer<Value: Codable>: ValueTransformer {
    /// `NSData`.
    public override class func transformedValueClass() -> AnyClass { NSData.self }

    /// The value as JSON; nil for a value of another type.
    public override func transformedValue(_ value: Any?) -> Any? {
        guard let value = value as? Value else { return nil }
        let encoder = JSONEncoder()
        // Without this the order is that of a hash table, which each process has its own of.
        encoder.outputFormatting = .sortedKeys
        return try? encoder.encode([value])
    }

    /// The value of JSON.
    public override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { try? JSONDecoder().decode([Value].self, from: $0).first }
    }
}
