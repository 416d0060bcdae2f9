// SPDX-License-Identifier: Apache-2.0

/// Recognises key columns by name.
package enum KeyName {
    /// How likely a column is the entity's own key, 0 the likeliest; `nil` for no key.
    ///
    /// `AlbumId`, `album_id` and `albumid` in Album or albums; then `id`; then `pk`.
    package static func rank(_ column: String, ofEntity entity: String) -> Int? {
        let joined = NameWords(column).joined
        if names(ofKeyTo: entity).contains(joined) { return 0 }
        if joined == "id" { return 1 }
        return joined == "pk" ? 2 : nil
    }

    /// The joined spellings of a column that refers to an entity.
    package static func names(ofKeyTo entity: String) -> Set<String> {
        let words = NameWords(entity)
        return [words.joined + "id", singular(words).joined + "id"]
    }

    /// The words with the last one in the singular.
    package static func singular(_ words: NameWords) -> NameWords {
        var copy = words
        guard let last = copy.words.popLast() else { return words }
        copy.words.append(EnglishNoun.singular(last.lowercased()))
        return copy
    }
}
