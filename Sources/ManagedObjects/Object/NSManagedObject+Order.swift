// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Traps

/// Ordered relationships: what changes places, with the inverses.
extension NSManagedObject {
    /// The member at a place; traps for a place that does not exist.
    final func member(at index: Int, of relationship: RelationshipRuntime) -> NSManagedObject {
        let keys = members(relationship)
        guard keys.indices.contains(index), let object = related(keys[index]) else {
            trap(
                "\(relationship.name) has no place \(index): it has \(keys.count) members")
        }
        return object
    }

    /// Inserts an object at a place; one that is there already stays where it is.
    final func insert(
        _ object: NSManagedObject, at index: Int, into relationship: RelationshipRuntime
    ) {
        checkContext(of: object, relationship)
        willModify()
        let state = loadedState(relationship)
        require(
            index >= 0 && index <= state.count,
            "\(relationship.name) has no place \(index): it has \(state.count) members")
        guard !state.contains(object.key) else { return }
        keepCompanion(object)
        state.insert(object.key, at: index)
        guard !flags.contains(.untracked) else { return }
        object.remember(self, inverseOf: relationship)
    }

    /// Puts an object in the place of another; one that has a place already changes nothing.
    final func replaceMember(
        at index: Int, with object: NSManagedObject, of relationship: RelationshipRuntime
    ) {
        let former = member(at: index, of: relationship)
        guard former !== object, !loadedState(relationship).contains(object.key) else { return }
        remove(former, from: relationship)
        insert(object, at: index, into: relationship)
    }

    /// Replaces the destinations by a list; an object that comes twice counts once.
    ///
    /// An unordered relationship takes the objects without their order.
    final func replaceInOrder(_ objects: [NSManagedObject], of relationship: RelationshipRuntime) {
        guard relationship.isOrdered else { return replace(objects, of: relationship) }
        var wanted = Set<ObjectKey>(minimumCapacity: objects.count)
        var list: [NSManagedObject] = []
        for object in objects where wanted.insert(object.key).inserted {
            checkContext(of: object, relationship)
            keepCompanion(object)
            list.append(object)
        }
        willModify()
        let state = loadedState(relationship)
        let former = state.members
        let known = Set(former)
        noteReplacement(relationship)
        state.setOrder(ContiguousArray(list.map(\.key)))
        guard !flags.contains(.untracked) else { return }
        for key in former where !wanted.contains(key) {
            related(key)?.forget(self, inverseOf: relationship)
        }
        dropCompanions()
        for object in list where !known.contains(object.key) {
            object.remember(self, inverseOf: relationship)
        }
    }

    /// Gives the destinations another order, without looking at each of them.
    ///
    /// - Parameters:
    ///   - known: Some places, with the objects that the caller takes to be there.
    ///   - count: How many destinations the caller knows.
    /// - Returns: Whether that was done: false if they are others than the caller knows.
    final func reorder(
        _ relationship: RelationshipRuntime, _ known: [(place: Int, object: NSManagedObject)],
        of count: Int, _ body: (inout ContiguousArray<ObjectKey>) -> Void
    ) -> Bool {
        willModify()
        let state = loadedState(relationship)
        guard !isUnread, has(known, count, in: state.members) else { return false }
        state.reorder(body)
        return true
    }

    private final func has(
        _ known: [(place: Int, object: NSManagedObject)], _ count: Int,
        in keys: ContiguousArray<ObjectKey>
    ) -> Bool {
        keys.count == count && known.allSatisfy { related(keys[$0.place]) === $0.object }
    }

    /// Changes the list of destinations.
    final func editOrder(
        _ relationship: RelationshipRuntime, _ body: (inout [NSManagedObject]) -> Void
    ) {
        var list = destinations(relationship)
        body(&list)
        replaceInOrder(list, of: relationship)
    }
}
