// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How an index stores an element.
public enum NSFetchIndexElementType: UInt, Sendable {
    /// Ordered by value.
    case binary = 0
    /// By place in space; a model with such an element is refused.
    case rTree = 1
}

/// One property of a fetch index.
// SAFETY: the program builds a description on one thread. Once its model is in use, setters trap
// through the `checkMutable` of the index.
open class NSFetchIndexElementDescription: NSObject, NSCopying, @unchecked Sendable {
    /// The indexed property.
    public let property: NSPropertyDescription
    /// How the element is stored.
    open var collationType: NSFetchIndexElementType {
        get { settings.collationType }
        set { edited.collationType = newValue }
    }
    /// Whether small values come first.
    ///
    /// An index is read from either end, so this matters where elements differ: an index on the
    /// descending year and the ascending title serves that order and its reverse.
    open var isAscending: Bool {
        get { settings.isAscending }
        set { edited.isAscending = newValue }
    }
    // Apart from the properties, which are computed: Swift calls no observers for what a
    // convenience initialiser of an extension assigns.
    private struct Settings {
        var collationType: NSFetchIndexElementType
        var isAscending = true
    }
    private var settings: Settings
    /// The same for setters: changing it traps once the model is in use.
    private var edited: Settings {
        get { settings }
        set {
            index?.checkMutable()
            settings = newValue
        }
    }
    // Unchecked: the index clears it as it goes, when a checked reference could not be compared.
    private unowned(unsafe) var index: NSFetchIndexDescription?

    /// Makes an element.
    public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        self.property = property
        settings = Settings(collationType: collationType)
        super.init()
    }

    /// The name of the indexed property.
    open var propertyName: String { property.name }

    /// The index that has the element; `nil` before it was added to one.
    open var indexDescription: NSFetchIndexDescription? { index }

    /// Whether both are of properties of the same name and sorted alike.
    public final override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexElementDescription else { return false }
        return other === self
            || propertyName == other.propertyName && collationType == other.collationType
                && isAscending == other.isAscending
    }

    /// The hash of the property's name.
    public final override var hash: Int { propertyName.hashValue }

    func join(_ index: NSFetchIndexDescription) { self.index = index }

    func leave(_ index: NSFetchIndexDescription) {
        if self.index === index { self.index = nil }
    }

    /// An element with the same settings that belongs to no index.
    open func copy(with zone: NSZone? = nil) -> Any {
        let result = NSFetchIndexElementDescription(
            property: property, collationType: collationType)
        result.isAscending = isAscending
        return result
    }
}
