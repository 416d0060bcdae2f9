// SPDX-License-Identifier: Apache-2.0

extension ModelFile {
    /// An entity with its own properties; inherited ones are the parent's.
    public struct Entity: Sendable, Hashable {
        /// Who writes the class of the objects.
        public enum Generation: String, Sendable, Hashable {
            /// The class and its properties are generated.
            case `class`
            /// The properties are generated, as an extension of a class that the program has.
            case category
            /// The program has all of it.
            case manual = ""
        }

        /// The entity's name.
        public let name: String
        /// The class of its objects, `Person`, `.Person` or `Office.Person`; nil for a plain one.
        public let className: String?
        /// The name of the entity that it inherits from.
        public let parent: String?
        /// Whether no object has exactly this entity.
        public let isAbstract: Bool
        /// Who writes the class.
        public let generation: Generation
        /// The name in an earlier version of the model.
        public let renamingIdentifier: String?
        /// The attributes in the order of the file.
        public let attributes: [Attribute]
        /// The relationships in the order of the file.
        public let relationships: [Relationship]
        /// The properties that are found by a fetch, in the order of the file.
        public let fetchedProperties: [FetchedProperty]
        /// The indexes in the order of the file.
        public let indexes: [Index]
        /// Sets of properties whose values no two objects may share.
        public let constraints: [[String]]
        /// Values for the program's own use.
        public let userInfo: [String: String]
        /// The line in the file, from 1.
        public let line: Int

        /// The names of its own properties.
        var propertyNames: [String] {
            attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)
        }
    }

    /// A fetch index; as it answers nothing by itself, kinds that Lode does not have are left out.
    public struct Index: Sendable, Hashable {
        /// An indexed property.
        public struct Element: Sendable, Hashable {
            /// The property's name.
            public let property: String
            /// Whether small values come first.
            public let isAscending: Bool
        }

        /// The index's name.
        public let name: String
        /// The properties, the most significant one first.
        public let elements: [Element]
        /// The format of the predicate for objects that have entries; nil for all.
        public let predicate: String?
        /// The line in the file, from 1.
        public let line: Int
    }
}
