// SPDX-License-Identifier: Apache-2.0

extension ModelFile {
    /// One direction of a relationship.
    public struct Relationship: Sendable, Hashable {
        /// What happens to the destinations when the owner is deleted, as the file spells it.
        public enum DeletionRule: String, Sendable, Hashable, CaseIterable {
            case noAction = "No Action"
            case nullify = "Nullify"
            case cascade = "Cascade"
            case deny = "Deny"
        }

        /// The relationship's name.
        public let name: String
        /// The entity at the other end.
        public let destination: String
        /// The relationship of the destination that leads back.
        public let inverse: String?
        /// Whether an object has any number of destinations.
        public let isToMany: Bool
        /// Whether the destinations have an order.
        public let isOrdered: Bool
        /// The least number of destinations; 0 for no bound.
        public let minCount: Int
        /// The greatest number of destinations; 0 for no bound.
        public let maxCount: Int
        /// What happens to the destinations when the owner is deleted.
        public let deletionRule: DeletionRule
        /// Whether a save accepts an object without a destination.
        public let isOptional: Bool
        /// Whether the links live in memory only.
        public let isTransient: Bool
        /// The name in an earlier version of the model.
        public let renamingIdentifier: String?
        /// Values for the program's own use.
        public let userInfo: [String: String]
        /// The line in the file, from 1.
        public let line: Int
    }
}
