// SPDX-License-Identifier: Apache-2.0

/// Makes property and entity names out of the names in a file.
///
/// Property names are lowerCamelCase. A name that means something to `NSManagedObject`, to Swift or
/// to the predicate language gets the entity's name in front: `Track.Description` becomes
/// `trackDescription`. A name that starts with a digit gets `value` in front, and one without any
/// letter or digit becomes `value`.
package enum PropertyName {
    /// The name of a column's property.
    package static func make(_ words: NameWords, entity: String) -> String {
        var name = words.lowerCamel
        if name.isEmpty { name = "value" }
        if name.first?.isLetter == false { name = "value" + name }
        return safe(name, entity: entity)
    }

    /// The plural of an entity's name as a property: `InvoiceLine` gives `invoiceLines`.
    package static func plural(ofEntity name: String, in owner: String) -> String {
        var words = NameWords(name)
        guard let last = words.words.popLast() else { return make(words, entity: owner) }
        words.words.append(EnglishNoun.plural(last.lowercased()))
        return make(words, entity: owner)
    }

    /// The name of an entity: as the file spells it if that is a type's name, else UpperCamelCase.
    package static func entity(_ source: String) -> String {
        let isTypeName =
            source.first?.isUppercase == true && source.allSatisfy { $0.isLetter || $0.isNumber }
        let name = isTypeName ? source : NameWords(source).upperCamel
        guard let first = name.first else { return "Entity" }
        return first.isLetter ? name : "Entity" + name
    }

    /// Whether a mapping may choose the name.
    package static func isValid(_ name: String) -> Bool {
        guard let first = name.first, first.isLetter || first == "_" else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            && !ReservedNames.contains(name)
    }

    private static func safe(_ name: String, entity: String) -> String {
        guard ReservedNames.contains(name) else { return name }
        let capitalized = name.prefix(1).uppercased() + name.dropFirst()
        let variant = NameWords(entity).lowerCamel + capitalized
        return ReservedNames.contains(variant) ? variant + "Value" : variant
    }
}
