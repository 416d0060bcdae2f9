// SPDX-License-Identifier: Apache-2.0

/// A fetch index or a uniqueness constraint over attributes and to-one relationships of an entity.
public struct Index: Sendable, Hashable {
    /// The index's name, unique within its entity.
    public var name: String
    /// The names of the indexed properties, most significant first.
    public var properties: [String]
    /// Whether no two objects may hold the same values.
    ///
    /// An object with a null in one of the properties never collides.
    public var isUnique: Bool

    /// Makes an index.
    public init(name: String, properties: [String], isUnique: Bool = false) {
        self.name = name
        self.properties = properties
        self.isUnique = isUnique
    }
}
