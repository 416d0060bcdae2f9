// SPDX-License-Identifier: Apache-2.0

/// Types that a managed property cannot have, as far as the text tells.
///
/// Of other types, such as enums, only the compiler knows; it says so in its own words.
enum UnsupportedType {
    /// What is wrong with a property's type and what to use; nil where nothing is known.
    static func objection(to type: TypeText, macro: String) -> String? {
        let inner = type.unwrapped
        guard let advice = advice(inner) else { return nil }
        return "'@\(macro)' cannot have the type '\(type.source)': \(advice)"
    }

    private static func advice(_ type: TypeText) -> String? {
        if let name = type.name { return names[name] }
        guard let first = type.tokens.first else { return nil }
        if first.isMark("(") { return opaque }
        if first.isMark("[") {
            let element = TypeText(tokens: Array(type.tokens.dropFirst().dropLast()))
            return isDictionary(element) || isValue(element) ? opaque : nil
        }
        if type.tokens.count > 1, type.tokens[1].isMark("<"), first.text == "Dictionary" {
            return opaque
        }
        guard let (name, element) = type.generic else { return nil }
        return ["Array", "Set"].contains(name) && isValue(element) ? opaque : nil
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

    private static let opaque =
        "declare a transformable attribute in the model and read it with 'value(forKey:)', or use"
        + " a relationship"
    private static let integer = "use 'Int16', 'Int32', 'Int64' or 'Int', as the model declares"
    private static let text = "use 'String'"
    private static let real = "use 'Double', 'Float' or 'Decimal', as the model declares"
    private static let dynamic =
        "a managed property needs the type that the model declares; 'value(forKey:)' returns 'Any?'"

    private static let names: [String: String] = [
        "Int8": integer, "UInt": integer, "UInt8": integer, "UInt16": integer, "UInt32": integer,
        "UInt64": integer, "Character": text, "Substring": text, "NSString": text,
        "StaticString": text, "CGFloat": real, "Float16": real, "Float80": real,
        "NSNumber": "use the number's own type, such as 'Int64', 'Double' or 'Bool';"
            + " 'value(forKey:)' returns 'NSNumber'",
        "NSDate": "use 'Date'", "NSData": "use 'Data'", "NSUUID": "use 'UUID'",
        "NSURL": "use 'URL'", "Any": dynamic, "AnyObject": dynamic, "AnyHashable": dynamic,
        "NSArray": "use 'NSOrderedSet', 'Set' or an array of the destination's class",
        "NSMutableSet": "use 'NSSet', and 'mutableSetValue(forKey:)' to change it",
        "NSMutableOrderedSet":
            "use 'NSOrderedSet', and 'mutableOrderedSetValue(forKey:)' to change it",
        "NSDictionary": opaque, "Void": opaque, "Never": opaque,
    ]
}
