// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Converts text to a form in which texts that are equal under an option have the same bytes.
///
/// Both sides of a comparison are folded, and keys of a case-insensitive index are folded text.
public enum TextFolding {
    /// Folds a text; the text itself when no option asks for a change.
    ///
    /// Folded text that is not ASCII is also composed (NFC), so that `é` of one and of two
    /// scalars are the same under `[c]`. `normalized` cancels folding.
    ///
    /// - Complexity: O(*n*), with a fast path for ASCII.
    public static func fold(_ text: String, _ options: ComparisonOptions) -> String {
        guard options.foldsText else { return text }
        var copy = text
        if copy.utf8.allSatisfy({ $0 < 0x80 }) {
            return options.contains(.caseInsensitive) ? copy.lowercasedASCII() : text
        }
        var compare: String.CompareOptions = []
        if options.contains(.caseInsensitive) { compare.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { compare.insert(.diacriticInsensitive) }
        return text.folding(options: compare, locale: nil).precomposedStringWithCanonicalMapping
    }
}

extension ComparisonOptions {
    /// Whether text is folded before it is compared.
    public var foldsText: Bool {
        !contains(.normalized)
            && !isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
    }
}

extension String {
    fileprivate mutating func lowercasedASCII() -> String {
        withUTF8 { source in
            String(unsafeUninitializedCapacity: source.count) { target in
                for (index, byte) in source.enumerated() {
                    target[index] = 0x41...0x5A ~= byte ? byte | 0x20 : byte
                }
                return source.count
            }
        }
    }
}
