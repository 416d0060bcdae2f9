// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

/// Turns lists of words into data.
final class WordsTransformer: ManagedObjects.ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? [String]).map { Data($0.joined(separator: " ").utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map {
            String(decoding: $0, as: UTF8.self).split(separator: " ").map(String.init)
        }
    }
}
