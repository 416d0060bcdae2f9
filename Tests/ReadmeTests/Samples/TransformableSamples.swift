// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Samples about values that are transformed.
enum TransformableSamples {
    static func codable(_ place: NSAttributeDescription) {
        // SAMPLE: CodableValueTransformer.swift
        ValueTransformer.setValueTransformer(
            CodableValueTransformer<Place>(), forName: NSValueTransformerName("Place"))
        place.valueTransformerName = "Place"
        // SAMPLE: end
    }

    static func secure(_ words: NSAttributeDescription) {
        // SAMPLE: NSSecureUnarchiveFromDataTransformer.swift
        words.type = .transformable
        words.valueTransformerName = "NSSecureUnarchiveFromData"
        // SAMPLE: end
    }

    static func transformers(_ tags: NSAttributeDescription, _ home: NSAttributeDescription) {
        // SAMPLE: Properties.md
        tags.type = .transformable
        tags.valueTransformerName = "NSSecureUnarchiveFromData"  // @Managed var tags: [String]

        ValueTransformer.setValueTransformer(
            CodableValueTransformer<Place>(), forName: NSValueTransformerName("Place"))
        home.type = .transformable
        home.valueTransformerName = "Place"  // @Managed var home: Place?
        // SAMPLE: end
    }
}
