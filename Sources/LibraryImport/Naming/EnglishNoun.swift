// SPDX-License-Identifier: Apache-2.0

/// Plural and singular of English nouns, by few rules and a list of exceptions.
///
/// A wrong plural costs a mapping entry, so the rules cover what data files are named after.
package enum EnglishNoun {
    private static let irregular: [(singular: String, plural: String)] = [
        ("person", "people"), ("child", "children"), ("man", "men"), ("woman", "women"),
        ("mouse", "mice"), ("foot", "feet"), ("tooth", "teeth"), ("goose", "geese"),
        ("analysis", "analyses"), ("basis", "bases"), ("axis", "axes"), ("crisis", "crises"),
        ("knife", "knives"), ("life", "lives"), ("wife", "wives"), ("leaf", "leaves"),
        ("shelf", "shelves"), ("half", "halves"), ("wolf", "wolves"), ("hero", "heroes"),
        ("potato", "potatoes"), ("tomato", "tomatoes"), ("echo", "echoes"), ("quiz", "quizzes"),
        ("movie", "movies"), ("cookie", "cookies"), ("calorie", "calories"), ("cache", "caches"),
        ("index", "indexes"), ("datum", "data"), ("criterion", "criteria"),
    ]
    private static let uncountable: Set<String> = [
        "species", "series", "news", "equipment", "information", "media", "data", "fish",
        "sheep", "staff", "metadata", "software", "music", "history",
    ]

    /// The plural of a lower-case word; the word itself if it is a plural already.
    package static func plural(_ word: String) -> String {
        if uncountable.contains(word) { return word }
        if let pair = irregular.first(where: { $0.singular == word }) { return pair.plural }
        if isPlural(word) { return word }
        if word.hasSuffix("y"), !endsInVowel(word.dropLast()) { return word.dropLast() + "ies" }
        for ending in ["s", "x", "z", "ch", "sh"] where word.hasSuffix(ending) {
            return word + "es"
        }
        return word + "s"
    }

    /// The singular of a lower-case word; the word itself if it is a singular already.
    package static func singular(_ word: String) -> String {
        if uncountable.contains(word) { return word }
        if let pair = irregular.first(where: { $0.plural == word }) { return pair.singular }
        if irregular.contains(where: { $0.singular == word }) { return word }
        if word.count > 4, word.hasSuffix("ies") { return word.dropLast(3) + "y" }
        for ending in ["sses", "xes", "ches", "shes", "zzes", "uses"] where word.hasSuffix(ending) {
            if word.hasSuffix("ouses") || word.hasSuffix("auses") { break }
            return String(word.dropLast(2))
        }
        for ending in ["ss", "us", "is", "as", "os"] where word.hasSuffix(ending) {
            // `photos` and `areas` are plurals; a word of four letters such as `atlas` is rarer.
            if ending == "os" || ending == "as", word.count > 4, word != "atlas" { break }
            return word
        }
        return word.count > 2 && word.hasSuffix("s") ? String(word.dropLast()) : word
    }

    private static func isPlural(_ word: String) -> Bool {
        singular(word) != word
    }

    private static func endsInVowel(_ word: Substring) -> Bool {
        word.last.map { "aeiou".contains($0) } ?? true
    }
}
