// SPDX-License-Identifier: Apache-2.0

/// Names that a property must not have.
enum ReservedNames {
    /// Whether a property of this name would clash.
    static func contains(_ name: String) -> Bool {
        objectMembers.contains(name) || swiftKeywords.contains(name)
            || predicateWords.contains(name.lowercased())
    }

    /// Members of `NSManagedObject` and `NSObject`.
    private static let objectMembers: Set<String> = [
        "entity", "objectID", "managedObjectContext", "description", "debugDescription", "hash",
        "hashValue", "isDeleted", "isInserted", "isUpdated", "isFault", "hasChanges",
        "hasPersistentChangedValues", "faultingState", "changedValues", "committedValues",
        "observationInfo", "superclass", "className", "isEqual", "copy", "mutableCopy", "class",
        "setValue", "delete", "deleted",
        "prepareForDeletion", "didSave", "willSave", "awakeFromFetch", "awakeFromInsert",
        "fetchRequest", "isProxy", "release", "retain", "autorelease",
    ]

    private static let swiftKeywords: Set<String> = [
        "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal",
        "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
        "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
        "any", "some",
    ]

    /// Words of the predicate language, in lower case.
    private static let predicateWords: Set<String> = [
        "and", "or", "not", "in", "between", "beginswith", "contains", "endswith", "like",
        "matches", "any", "all", "some", "none", "self", "null", "nil", "true", "false", "yes",
        "no", "first", "last", "size", "subquery", "cast", "truepredicate", "falsepredicate",
    ]
}
