// SPDX-License-Identifier: Apache-2.0

/// The to-many relationships a property type can stand for.
enum ToManyType: Equatable {
    /// `Set<Element>`
    case set(element: String)
    /// `NSSet`, which does not say what it holds.
    case untypedSet
    /// `NSOrderedSet`
    case orderedSet

    init?(_ type: TypeText) {
        let type = type.unwrapped
        if type.name == "NSSet" {
            self = .untypedSet
        } else if type.name == "NSOrderedSet" {
            self = .orderedSet
        } else if let (name, element) = type.generic, name == "Set",
            !Self.values.contains(element.name ?? "")
        {
            self = .set(element: element.source)
        } else {
            return nil
        }
    }

    var element: String {
        if case .set(let element) = self { return element }
        return "NSManagedObject"
    }

    var collection: String {
        switch self {
        case .set(let element): "Set<\(element)>"
        case .untypedSet: "NSSet"
        case .orderedSet: "NSOrderedSet"
        }
    }

    /// A set of one of these is a transformable attribute, not a relationship.
    static let values: Set<String> = [
        "AnyHashable", "Bool", "Character", "Data", "Date", "Decimal", "Double", "Float", "Int",
        "Int8", "Int16", "Int32", "Int64", "NSNumber", "NSString", "String", "Substring", "UInt",
        "UInt8", "UInt16", "UInt32", "UInt64", "URL", "UUID",
    ]
}
