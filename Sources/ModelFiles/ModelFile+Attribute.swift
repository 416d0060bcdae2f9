// SPDX-License-Identifier: Apache-2.0

extension ModelFile {
    /// An attribute of an entity.
    public struct Attribute: Sendable, Hashable {
        /// The types, as the file spells them.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            case integer16 = "Integer 16"
            case integer32 = "Integer 32"
            case integer64 = "Integer 64"
            case decimal = "Decimal"
            case double = "Double"
            case float = "Float"
            case string = "String"
            case boolean = "Boolean"
            case date = "Date"
            case binary = "Binary"
            case uuid = "UUID"
            case uri = "URI"
            case transformable = "Transformable"
        }

        /// The attribute's name.
        public let name: String
        /// The type of its values.
        public let kind: Kind
        /// Whether a save accepts an object without a value.
        public let isOptional: Bool
        /// Whether the value lives in memory only.
        public let isTransient: Bool
        /// The value of a new object, as text; of dates in seconds since 2001.
        public let defaultValue: String?
        /// The least value or length, as text; of dates in seconds since 2001.
        public let minimum: String?
        /// The greatest value or length, as text; of dates in seconds since 2001.
        public let maximum: String?
        /// A regular expression that a text matches as a whole.
        public let pattern: String?
        /// The name of the value transformer.
        public let transformerName: String?
        /// The class of the values of a transformable attribute.
        public let className: String?
        /// Whether a generated property is a number, and not an `NSNumber`.
        public let usesScalar: Bool
        /// Whether large values may be kept outside the record.
        public let allowsExternalStorage: Bool
        /// Whether a deletion's entry in the history keeps the value.
        public let isKeptInHistory: Bool
        /// The name in an earlier version of the model.
        public let renamingIdentifier: String?
        /// Values for the program's own use.
        public let userInfo: [String: String]
        /// The line in the file, from 1.
        public let line: Int
    }
}
