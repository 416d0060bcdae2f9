// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How an index stores an element; only `binary` is supported.
public enum NSFetchIndexElementType: UInt, Sendable {
    /// Ordered by value.
    case binary = 0
}

/// One property of a fetch index.
// Sendable because a frozen description never changes, and an unfrozen one belongs to its builder.
open class NSFetchIndexElementDescription: NSObject, @unchecked Sendable {
    /// The indexed property.
    public let property: NSPropertyDescription
    /// How the element is stored.
    open var collationType: NSFetchIndexElementType
    /// Whether small values come first; an index serves both directions either way.
    open var isAscending: Bool = true

    /// Makes an element.
    public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        self.property = property
        self.collationType = collationType
        super.init()
    }

    /// The name of the indexed property.
    open var propertyName: String { property.name }
}

/// A fetch index over attributes and to-one relationships of an entity.
// Sendable because a frozen description never changes, and an unfrozen one belongs to its builder.
open class NSFetchIndexDescription: NSObject, @unchecked Sendable {
    /// The index's name.
    open var name: String
    /// The indexed properties, most significant first.
    open var elements: [NSFetchIndexElementDescription]

    /// Makes an index.
    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        self.name = name
        self.elements = elements ?? []
        super.init()
    }
}
