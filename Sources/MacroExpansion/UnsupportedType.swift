// SPDX-License-Identifier: Apache-2.0

/// Types that a managed property cannot have, as far as the text tells.
///
/// Of other types, such as enums, only the compiler knows; it says so in its own words.
enum UnsupportedType {
    /// What is wrong with a property's type and what to use; nil where nothing is known.
    static func objection(to type: TypeText, macro: String) -> String? {
        guard let advice = advice(type.unwrapped) else { return nil }
        return "'@\(macro)' cannot have the type '\(type.source)': \(advice)"
    }

    private static func advice(_ type: TypeText) -> String? {
        if let name = type.name { return names[name] }
        guard let first = type.tokens.first else { return nil }
        if first.isMark("(") { return opaque }
        return nil
    }

    private static let opaque = "no attribute holds such values"
    private static let integer = "use 'Int16', 'Int32', 'Int64' or 'Int', as the model declares"
    private static let text = "use 'String'"
    private static let real = "use 'Double', 'Float' or 'Decimal', as the model declares"
    private static let dynamic =
        "a managed property needs the type that the model declares, or 'Any'"

    private static let names: [String: String] = [
        "Int8": integer, "UInt": integer, "UInt8": integer, "UInt16": integer, "UInt32": integer,
        "UInt64": integer, "Character": text, "Substring": text, "NSString": text,
        "StaticString": text, "CGFloat": real, "Float16": real, "Float80": real,
        "NSDate": "use 'Date'", "NSData": "use 'Data'", "NSUUID": "use 'UUID'",
        "NSURL": "use 'URL'", "AnyObject": dynamic, "AnyHashable": dynamic,
        "NSMutableSet": "use 'NSSet', and 'mutableSetValue(forKey:)' to change it",
        "NSMutableOrderedSet":
            "use 'NSOrderedSet', and 'mutableOrderedSetValue(forKey:)' to change it",
        "Void": opaque, "Never": opaque,
    ]
}
