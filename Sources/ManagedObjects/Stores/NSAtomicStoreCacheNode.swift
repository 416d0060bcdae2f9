// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One object of an ``NSAtomicStore``: its ID and its values by name.
///
/// A to-one relationship is another node; a to-many relationship is a `Set` of nodes or, if it is
/// ordered, an array or `NSOrderedSet` of them.
open class NSAtomicStoreCacheNode: NSObject {
    /// The object's ID.
    public let objectID: NSManagedObjectID
    /// The values by property name.
    open var propertyCache: NSMutableDictionary?

    /// Makes a node without values.
    public init(objectID moid: NSManagedObjectID) {
        objectID = moid
        super.init()
    }

    /// The value of a property; nil for none.
    open func value(forKey key: String) -> Any? { propertyCache?[key] }

    /// Sets the value of a property; nil removes it.
    open func setValue(_ value: Any?, forKey key: String) {
        let cache = propertyCache ?? NSMutableDictionary()
        propertyCache = cache
        if let value = ValueConversion.unwrapped(value) {
            cache[key] = value
        } else {
            cache.removeObject(forKey: key)
        }
    }
}
