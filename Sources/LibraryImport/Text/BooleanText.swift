// SPDX-License-Identifier: Apache-2.0

/// Reads the words `true` and `false` in any ASCII case.
package enum BooleanText {
    /// The boolean, `nil` for any other text.
    package static func value(_ text: ArraySlice<UInt8>) -> Bool? {
        if equals(text, "true") { return true }
        if equals(text, "false") { return false }
        return nil
    }

    private static func equals(_ text: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
        guard text.count == word.utf8CodeUnitCount else { return false }
        var index = text.startIndex
        return word.withUTF8Buffer { letters in
            for letter in letters {
                if text[index] | 0x20 != letter { return false }
                index += 1
            }
            return true
        }
    }
}
