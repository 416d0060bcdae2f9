// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Traps

extension NSManagedObject {
    /// What a `@Managed` setter of an `NSOrderedSet` calls.
    public final func __lode_write(_ value: NSOrderedSet?, _ key: borrowing PropertyKey) {
        replaceInOrder(
            NSManagedObject.members(of: value ?? NSOrderedSet()),
            of: key.relationship(in: runtimeReference))
    }

    /// What a generated `addToX` of several calls.
    public final func __lode_insert(
        contentsOf values: NSOrderedSet, _ key: borrowing PropertyKey
    ) {
        for value in NSManagedObject.members(of: values) { __lode_insert(value, key) }
    }

    /// What a generated `removeFromX` of several calls.
    public final func __lode_remove(
        contentsOf values: NSOrderedSet, _ key: borrowing PropertyKey
    ) {
        let relationship = orderedRelationship(key)
        let leaving = Set(NSManagedObject.members(of: values).map(\.key))
        editOrder(relationship) { list in list.removeAll { leaving.contains($0.key) } }
    }

    /// What a generated `insertIntoX(_:at:)` calls; nothing happens to an object that is there.
    public final func __lode_insert(
        _ value: NSManagedObject, at index: Int, _ key: borrowing PropertyKey
    ) {
        insert(value, at: index, into: orderedRelationship(key))
    }

    /// What a generated `removeFromX(at:)` calls.
    public final func __lode_remove(at index: Int, _ key: borrowing PropertyKey) {
        let relationship = orderedRelationship(key)
        remove(member(at: index, of: relationship), from: relationship)
    }

    /// What a generated `replaceX(at:with:)` calls.
    public final func __lode_replace(
        at index: Int, with value: NSManagedObject, _ key: borrowing PropertyKey
    ) {
        replaceMember(at: index, with: value, of: orderedRelationship(key))
    }

    /// What a generated `insertIntoX(_:at:)` of several calls: each index is one of the result.
    public final func __lode_insert(
        contentsOf values: [NSManagedObject], at indexes: NSIndexSet, _ key: borrowing PropertyKey
    ) {
        let relationship = orderedRelationship(key)
        checkCounts(values, indexes, relationship)
        let known = Set(members(relationship))
        editOrder(relationship) { list in
            for (index, value) in zip(indexes, values) where !known.contains(value.key) {
                require(
                    index <= list.count,
                    "\(relationship.name) has no place \(index): it has \(list.count) members")
                list.insert(value, at: index)
            }
        }
    }

    /// What a generated `removeFromX(at:)` of several calls.
    public final func __lode_remove(at indexes: NSIndexSet, _ key: borrowing PropertyKey) {
        let relationship = orderedRelationship(key)
        editOrder(relationship) { list in
            for index in indexes.reversed() {
                require(
                    index < list.count,
                    "\(relationship.name) has no place \(index): it has \(list.count) members")
                list.remove(at: index)
            }
        }
    }

    /// What a generated `replaceX(at:with:)` of several calls.
    public final func __lode_replace(
        at indexes: NSIndexSet, with values: [NSManagedObject], _ key: borrowing PropertyKey
    ) {
        let relationship = orderedRelationship(key)
        checkCounts(values, indexes, relationship)
        for (index, value) in zip(indexes, values) {
            replaceMember(at: index, with: value, of: relationship)
        }
    }

    private final func checkCounts(
        _ values: [NSManagedObject], _ indexes: NSIndexSet, _ relationship: RelationshipRuntime
    ) {
        require(
            values.count == indexes.count,
            "\(relationship.name) was given \(values.count) objects for \(indexes.count) places")
    }

    /// The ordered relationship of a key; traps for an unordered one.
    private final func orderedRelationship(
        _ key: borrowing PropertyKey
    ) -> RelationshipRuntime {
        let relationship = key.relationship(in: runtimeReference)
        relationship.requireOrder()
        return relationship
    }
}

extension RelationshipRuntime {
    /// Entity and name, for messages.
    var name: String { "\(entityName).\(relationship.name)" }

    /// Traps unless the relationship is ordered.
    func requireOrder() {
        require(isOrdered, "\(name) has no order; set isOrdered in the model")
    }
}
