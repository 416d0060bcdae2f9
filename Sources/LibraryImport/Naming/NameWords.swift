// SPDX-License-Identifier: Apache-2.0

/// The words of a name in any of the usual spellings.
///
/// `UnitPrice`, `unit_price`, `unit-price` and `Unit Price` all have the words Unit and Price;
/// `ISBNCode` has ISBN and Code. Digits belong to the word before them.
package struct NameWords: Equatable {
    /// The words as the name spells them.
    package var words: [String]

    /// Splits a name.
    package init(_ name: String) {
        words = []
        let characters = Array(name)
        var word = ""
        for (index, character) in characters.enumerated() {
            guard character.isLetter || character.isNumber else {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            if let last = word.last, Self.isBoundary(last, character, next) {
                words.append(word)
                word = ""
            }
            word.append(character)
        }
        if !word.isEmpty { words.append(word) }
    }

    private static func isBoundary(_ last: Character, _ this: Character, _ next: Character?) -> Bool
    {
        guard this.isUppercase else { return false }
        return !last.isUppercase || next?.isLowercase == true
    }

    /// The words in lower case without anything between them; equal for spellings of one name.
    package var joined: String {
        words.joined().lowercased()
    }

    /// `unitPrice`, `isbnCode`.
    var lowerCamel: String {
        guard let first = words.first else { return "" }
        return first.lowercased() + words.dropFirst().map(Self.capitalized).joined()
    }

    /// `UnitPrice`, `IsbnCode`.
    var upperCamel: String {
        words.map(Self.capitalized).joined()
    }

    /// The name of a relationship that a key column stands for: `AlbumId` is `album`.
    var withoutKeySuffix: NameWords {
        var copy = self
        if words.count > 1, words.last?.lowercased() == "id" { copy.words.removeLast() }
        return copy
    }

    private static func capitalized(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }
}
