// SPDX-License-Identifier: Apache-2.0

/// Types that a managed property cannot have, as far as the text tells.
///
/// Of other types, such as enums, only the compiler knows; it says so in its own words.
enum UnsupportedType {
    /// What is wrong with a property's type and what to use; nil where nothing is known.
    static func objection(to type: TypeText, macro: String) -> String? {
        let inner = type.unwrapped
        guard let advice = advice(inner) else { return nil }
        // An optional of these may be the value of a transformable attribute, or a number.
        if inner.source != type.source, [transformable, number, decimal, list].contains(advice) {
            return nil
        }
        return "'@\(macro)' cannot have the type '\(type.source)': \(advice)"
    }

    private static func advice(_ type: TypeText) -> String? {
        if let name = type.name { return names[name] }
        guard let first = type.tokens.first else { return nil }
        if first.isMark("(") { return opaque }
        if first.isMark("[") {
            let element = TypeText(tokens: Array(type.tokens.dropFirst().dropLast()))
            return isDictionary(element) || isValue(element) ? transformable : nil
        }
        if type.tokens.count > 1, type.tokens[1].isMark("<"), first.text == "Dictionary" {
            return transformable
        }
        guard let (name, element) = type.generic else { return nil }
        return ["Array", "Set"].contains(name) && isValue(element) ? transformable : nil
    }

    /// Whether the text between brackets has a colon outside of further ones.
    private static func isDictionary(_ type: TypeText) -> Bool {
        var depth = 0
        for token in type.tokens {
            if ["[", "(", "<"].contains(where: token.isMark) { depth += 1 }
            if ["]", ")", ">"].contains(where: token.isMark) { depth -= 1 }
            if depth == 0, token.isMark(":") { return true }
        }
        return false
    }

    /// Whether a type is known to be no class of managed objects.
    private static func isValue(_ type: TypeText) -> Bool {
        guard let name = type.name else {
            return type.tokens.first?.isMark("[") == true || type.tokens.first?.isMark("(") == true
                || type.generic.map { ["Array", "Set", "Optional"].contains($0.name) } == true
                || type.tokens.last?.isMark("?") == true
        }
        return ToManyType.values.contains(name)
    }

    private static let opaque = "no attribute holds such values"
    private static let transformable =
        "declare an optional of it, the value of a transformable attribute, or use a relationship"
    private static let number =
        "declare 'NSNumber?', or the number's own type, such as 'Int64', 'Double' or 'Bool'"
    private static let decimal = "declare 'NSDecimalNumber?', or use 'Decimal'"
    private static let list =
        "use 'NSOrderedSet', 'Set' or an array of the destination's class, or 'NSArray?' for a"
        + " transformable attribute"
    private static let integer = "use 'Int16', 'Int32', 'Int64' or 'Int', as the model declares"
    private static let text = "use 'String'"
    private static let real = "use 'Double', 'Float' or 'Decimal', as the model declares"
    private static let dynamic =
        "a managed property needs the type that the model declares; 'value(forKey:)' returns 'Any?'"

    private static let names: [String: String] = [
        "Int8": integer, "UInt": integer, "UInt8": integer, "UInt16": integer, "UInt32": integer,
        "UInt64": integer, "Character": text, "Substring": text, "NSString": text,
        "StaticString": text, "CGFloat": real, "Float16": real, "Float80": real,
        "NSNumber": number, "NSDecimalNumber": decimal,
        "NSDate": "use 'Date'", "NSData": "use 'Data'", "NSUUID": "use 'UUID'",
        "NSURL": "use 'URL'", "Any": dynamic, "AnyObject": dynamic, "AnyHashable": dynamic,
        "NSArray": list,
        "NSMutableSet": "use 'NSSet', and 'mutableSetValue(forKey:)' to change it",
        "NSMutableOrderedSet":
            "use 'NSOrderedSet', and 'mutableOrderedSetValue(forKey:)' to change it",
        "NSDictionary": transformable, "Void": opaque, "Never": opaque,
    ]
}
