// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The values of one object, as an ``NSIncrementalStore`` hands them out.
open class NSIncrementalStoreNode: NSObject {
    /// The object's ID.
    public let objectID: NSManagedObjectID
    /// The version of the values; a save compares it.
    open private(set) var version: UInt64
    private var values: [String: Any]

    /// Makes a node.
    ///
    /// - Parameters:
    ///   - objectID: The object.
    ///   - values: The attributes by name, and the destinations of to-one relationships as
    ///     `NSManagedObjectID` or `NSNull`; those that are missing are asked for one by one.
    ///   - version: A number that changes with each change of the object.
    public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        self.objectID = objectID
        self.values = values
        self.version = version
        super.init()
    }

    /// Replaces the values.
    open func update(withValues values: [String: Any], version: UInt64) {
        self.values = values
        self.version = version
    }

    /// The value of a property; nil for one that the node does not have.
    open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }

    final func value(named name: String) -> Any? { values[name] }
}
