// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// An object that a value of the program names: itself, or by its ID.
enum NamedObject {
    case object(NSManagedObject)
    case id(NSManagedObjectID)

    /// Takes an object by its type alone, without a search for what it might be cast to.
    ///
    /// - Returns: `nil` for any other value, and for an object in an optional, an `AnyHashable` or
    ///   another `Any`.
    @inline(__always)
    init?(plain value: Any) {
        guard let found = NamedObject.opened(value) else { return nil }
        self = found
    }

    /// - Returns: `nil` for any other value.
    init?(_ value: Any) {
        switch value {
        case let id as NSManagedObjectID: self = .id(id)
        case let object as NSManagedObject: self = .object(object)
        default: return nil
        }
    }

    // Generic, so that what `Any` holds is cast from its own type: from `Any`, each cast looks for
    // a value of Swift in an object, too.
    private static func opened<Content>(_ value: Content) -> NamedObject? {
        guard Content.self is AnyClass else { return nil }
        if let object = value as? NSManagedObject { return .object(object) }
        return (value as? NSManagedObjectID).map { .id($0) }
    }

    /// The key that a predicate compares.
    var key: ObjectKey {
        switch self {
        case .object(let object): object.storedKey
        case .id(let id): id.currentKey
        }
    }

    /// The store that holds the object.
    var store: NSPersistentStore? {
        switch self {
        case .object(let object):
            guard let context = object.context else { return object.objectID.store }
            return context.home(of: object.storedKey)
        case .id(let id): return id.currentStore
        }
    }
}

/// The stores of the objects that an argument names, by their identities.
struct NamedStores {
    private(set) var identities: Set<String> = []
    /// The store that was noted last: most objects of a list are in one.
    private var last: NSPersistentStore?

    /// - Parameter value: An argument: an object, an ID, a collection of them, or anything else.
    init(of value: Any?) { note(value) }

    private mutating func note(_ value: Any?) {
        guard let value, PredicateConversion.plainValue(value) == nil else { return }
        if let named = NamedObject(plain: value) { return note(named) }
        guard let value = ValueConversion.unwrapped(value) else { return }
        if let members = PredicateConversion.swiftMembers(of: value) {
            for member in members { note(member) }
        } else if let named = NamedObject(value) {
            note(named)
        } else if let token = value as? NSPersistentHistoryToken {
            identities.formUnion(token.positions.keys)
        } else if let set = value as? NSSet {
            for member in set { note(member) }
        }
    }

    private mutating func note(_ named: NamedObject) {
        guard let store = named.store, store !== last else { return }
        last = store
        identities.insert(store.identity)
    }
}
