// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Traps

/// A class of managed objects as the type of a to-one relationship.
///
/// A protocol of its own, as a class that can be inherited from cannot promise `Self` results.
public protocol ManagedReference: NSManagedObject {}

extension NSManagedObject: ManagedReference {}

extension ManagedReference {
    /// Reads the destination; nil for none.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Self? {
        let relationship = object.toOne(key)
        relationship.suggest(Self.self)
        guard let destination = object.destination(relationship) else {
            return object.contextReference == nil
                ? KeyPathProbe.destination(of: object, Self.self) : nil
        }
        guard let typed = destination as? Self else {
            trap(
                "\(object.runtime.entity.name).\(key.name) leads to a \(type(of: destination)), "
                    + "not to a \(Self.self)")
        }
        return typed
    }

    /// Writes the destination; nil for none.
    public static func __lode_writeOptional(
        _ value: Self?, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        // SAFETY: the caller keeps the object, whose model keeps the relationship.
        object.toOneReference(key)._withUnsafeGuaranteedRef { object.setDestination($0, value) }
    }
}

extension NSManagedObject: ManagedOptionalWrapped {}

extension NSManagedObject {
    /// The to-one relationship of a key.
    final func toOne(_ key: borrowing PropertyKey) -> RelationshipRuntime {
        // SAFETY: as for the reference.
        toOneReference(key).takeUnretainedValue()
    }

    /// The same without a count of references.
    // SAFETY: valid as long as the object's model, see `runtimeReference`.
    final func toOneReference(
        _ key: borrowing PropertyKey
    ) -> Unmanaged<RelationshipRuntime> {
        let position = key.field(in: runtimeReference)
        let found = runtimeReference._withUnsafeGuaranteedRef { $0.toOneReference(at: position) }
        if let found { return found }
        guard runtime.isProbe else {
            trap("\(runtime.entity.name).\(key.name) is no to-one relationship")
        }
        return .passUnretained(runtime.toOneRelationships[0])
    }

    /// What a `@Managed` getter of a destination that is never nil calls; traps for none.
    public final func __lode_read<Destination: ManagedReference>(
        _ key: borrowing PropertyKey
    ) -> Destination {
        guard let destination = Destination.__lode_readOptional(self, key) else {
            if let nobody: Destination = nobody(instead: toOne(key)) { return nobody }
            trap(
                "\(runtime.entity.name).\(key.name) of \(objectID) has no destination; "
                    + "declare it optional"
            )
        }
        return destination
    }

    /// An object without a context, in the place of a missing destination.
    ///
    /// For a destination missing because of a damaged file or a failing disk, as a getter cannot
    /// throw. Nil if the program is to blame.
    private final func nobody<Destination: ManagedReference>(
        instead relationship: RelationshipRuntime
    ) -> Destination? {
        guard let context, !flags.contains(.inserted),
            flags.contains(.inaccessible)
                || !relationship.relationship.isOptional && draftValue(relationship.field) == nil
        else { return nil }
        if !flags.contains(.inaccessible) {
            context.lastReadError = CoreDataError.make(
                .persistentStoreOperation,
                "\(runtime.entity.name).\(relationship.relationship.name) of \(objectID) has "
                    + "no destination, though it is not optional; the file is damaged: restore it "
                    + "from a copy")
        }
        let entity = relationship.destination
        return entity.objectClass.init(entity: entity.description, insertInto: nil) as? Destination
    }

    /// What a `@Managed` setter of a destination that is never nil calls.
    public final func __lode_write<Destination: ManagedReference>(
        _ value: Destination, _ key: borrowing PropertyKey
    ) {
        Destination.__lode_writeOptional(value, self, key)
    }
}

extension Set: ManagedValue where Element: ManagedReference {
    /// Reads the destinations.
    public static func __lode_read(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Set<Element> {
        // SAFETY: the same references under another static type, which `checkedDestinations` has
        // checked; an IdentifiedObject is one reference, and hashes and compares as its object
        // does. Built as a set of `Element`, a type that is unknown here, each insertion would look
        // up generic metadata, and each comparison of two objects would box one of them.
        unsafeBitCast(
            IdentifiedObject.set(of: object.checkedDestinations(key, Element.self)),
            to: Set<Element>.self)
    }

    /// Replaces the destinations.
    public static func __lode_write(
        _ value: Set<Element>, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        object.replace(Array(value), of: key.relationship(in: object.runtimeReference))
    }
}

extension Set: ManagedOptionalWrapped where Element: ManagedReference {
    /// Reads the destinations; never nil.
    public static func __lode_readOptional(
        _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) -> Set<Element>? {
        __lode_read(object, key)
    }

    /// Replaces the destinations; nil for none.
    public static func __lode_writeOptional(
        _ value: Set<Element>?, _ object: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        __lode_write(value ?? [], object, key)
    }
}

extension NSManagedObject {
    /// What a `@Managed` setter of an `NSSet` calls.
    public final func __lode_write(_ value: NSSet?, _ key: borrowing PropertyKey) {
        replace(
            NSManagedObject.members(of: value ?? NSSet()),
            of: key.relationship(in: runtimeReference))
    }

    /// What a generated `addToX` calls.
    public final func __lode_insert(_ value: NSManagedObject, _ key: borrowing PropertyKey) {
        insert(value, into: key.relationship(in: runtimeReference))
    }

    /// What a generated `removeFromX` calls.
    public final func __lode_remove(_ value: NSManagedObject, _ key: borrowing PropertyKey) {
        remove(value, from: key.relationship(in: runtimeReference))
    }

    /// What a generated `addToX` of several calls.
    public final func __lode_insert<Member: NSManagedObject>(
        contentsOf values: Set<Member>, _ key: borrowing PropertyKey
    ) {
        for value in values { __lode_insert(value, key) }
    }

    /// What a generated `removeFromX` of several calls.
    public final func __lode_remove<Member: NSManagedObject>(
        contentsOf values: Set<Member>, _ key: borrowing PropertyKey
    ) {
        for value in values { __lode_remove(value, key) }
    }

    /// What a generated `addToX` of several calls.
    public final func __lode_insert(contentsOf values: NSSet, _ key: borrowing PropertyKey) {
        for value in NSManagedObject.members(of: values) { __lode_insert(value, key) }
    }

    /// What a generated `removeFromX` of several calls.
    public final func __lode_remove(contentsOf values: NSSet, _ key: borrowing PropertyKey) {
        for value in NSManagedObject.members(of: values) { __lode_remove(value, key) }
    }

    /// A set of Foundation's, live ones and a program's own among them; nil for one of Swift.
    ///
    /// Asked for before any cast to a set of Swift: that reads Foundation's own storage, in which
    /// live sets have no members.
    static func foundationSet(_ value: Any?) -> NSSet? {
        PredicateConversion.instance(value, of: NSSet.self)
    }

    static func members(of set: some Sequence<Any>) -> [NSManagedObject] {
        set.map { member in
            guard let object = member as? NSManagedObject else {
                trap("a relationship takes managed objects, not \(member)")
            }
            return object
        }
    }
}
