// SPDX-License-Identifier: Apache-2.0

extension ModelFile {
    /// A search, as a template of the model or in a fetched property.
    public struct FetchRequest: Sendable, Hashable {
        /// The template's name.
        public let name: String
        /// The name of the entity.
        public let entity: String
        /// The predicate's format; nil for all objects.
        public let predicate: String?
        /// The greatest number of results; 0 for all.
        public let fetchLimit: Int
        /// The number of objects in a batch; 0 for no batches.
        public let fetchBatchSize: Int
        /// What is returned, by Core Data's number.
        public let resultType: Int
        /// Whether objects of entities that inherit from this one are found too.
        public let includesSubentities: Bool
        /// Whether objects come as faults.
        public let returnsObjectsAsFaults: Bool
        /// Whether equal dictionaries count as one.
        public let returnsDistinctResults: Bool
        /// The line in the file, from 1.
        public let line: Int
    }

    /// A property whose value is what a fetch finds.
    public struct FetchedProperty: Sendable, Hashable {
        /// The property's name.
        public let name: String
        /// Whether a save accepts an object without a value.
        public let isOptional: Bool
        /// What is fetched.
        public let request: FetchRequest
        /// Values for the program's own use.
        public let userInfo: [String: String]
    }
}
