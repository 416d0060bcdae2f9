// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema
import Store

/// Finds components: saved ones by key and prefix look-ups in `components` and `owners`, corrected
/// by the context's unsaved changes.
///
/// A child asks its parent instead of the file; the parent corrects by its own changes. No look-up
/// visits unsaved objects that do not concern it.
struct ComponentLookup {
    let moc: NSManagedObjectContext
    let index: UnsavedIndex

    init(_ moc: NSManagedObjectContext) throws {
        self.moc = moc
        index = try UnsavedIndex.of(moc)
    }

    // MARK: One component

    /// The component that points to the data of an ID.
    func component(ofData id: NSManagedObjectID) throws -> Component? {
        if let found = try moc.storedKey(of: id).flatMap({ try component(ofData: $0) }) {
            return found
        }
        return try component(ofDataElsewhere: id)
    }

    /// The component that points to an object.
    func component(of data: NSManagedObject) throws -> Component? {
        guard data.managedObjectContext === moc else { return try component(ofData: data.objectID) }
        if let key = moc.permanentKey(of: data) { return try component(ofData: key) }
        return try component(ofDataElsewhere: data.objectID)
    }

    /// The component that points to data.
    func component(ofData key: ObjectKey) throws -> Component? {
        if let known = index.component(ofData: key, in: moc) { return known }
        guard let found = try formerComponent(ofData: key), !found.isDeleted,
            !found.hasChanges || index.dataKey(of: found) == key
        else { return nil }
        return found
    }

    /// The component that points to data without this context's changes.
    private func formerComponent(ofData key: ObjectKey) throws -> Component? {
        if let found = try returnedComponent(ofData: key) { return found }
        if moc.hasParent {
            return try moc.inherited { try ComponentLookup($0).component(ofData: key) }
                as? Component
        }
        let snapshot = try moc.readSnapshot()
        return try moc.storage { try snapshot.owner(ofData: key) }
            .flatMap { moc.liveObject(for: $0.component) as? Component }
    }

    /// The game object that had data without this context's changes.
    func formerOwner(ofData key: ObjectKey) throws -> GameObject? {
        if let found = try returnedComponent(ofData: key) { return found.gameObject }
        if moc.hasParent { return try formerComponent(ofData: key)?.gameObject }
        let snapshot = try moc.readSnapshot()
        return try moc.storage { try snapshot.owner(ofData: key) }
            .flatMap { moc.liveObject(for: $0.gameObject) as? GameObject }
    }

    // MARK: The components of a game object

    /// The data of one type that a game object has, in the order of their keys.
    func data(of object: GameObject, type: NSManagedObject.Type) throws -> [NSManagedObject] {
        guard let keys = try savedKeys(of: object, type, areOfComponents: false) else {
            return try members(of: object, type).map(\.data)
        }
        defer { index.keys = keys }
        return moc.liveObjects(for: keys)
    }

    /// The components of one type of data that a game object has, in the order of the data's keys.
    func components(of object: GameObject, type: NSManagedObject.Type) throws -> [Component] {
        guard let keys = try savedKeys(of: object, type, areOfComponents: true) else {
            return try members(of: object, type).map(\.component)
        }
        defer { index.keys = keys }
        return moc.liveObjects(for: keys, as: Component.self)
    }

    /// The most types that are looked up one by one; for more, a game object's components are
    /// visited.
    private static let greatestTypeCount = 4

    /// The keys of a game object's data by look-up, or of their components, in the order of the
    /// data's keys; `nil` if its components have to be visited.
    private func savedKeys(
        of object: GameObject, _ type: NSManagedObject.Type, areOfComponents: Bool
    ) throws -> ContiguousArray<ObjectKey>? {
        guard !object.isInserted, !object.hasUnsavedMembers(GameObject.componentsKey),
            !hasDataElsewhere,
            !index.hasDepartures || !index.departures.mayRedirect(componentsOf: object),
            try !mayHaveReturnedData(object)
        else { return nil }
        let numbers = try index.numbers(of: type, in: moc)
        guard numbers.count <= ComponentLookup.greatestTypeCount else { return nil }
        let mayDiffer = index.hasDepartures || moc.hasUnsavedDeletions
        let snapshot = try moc.readSnapshot()
        var keys = index.takeKeys()
        return try moc.storage {
            try snapshot.appendComponents(of: object.storedKey, types: numbers, to: &keys)
            guard mayDiffer else {
                if areOfComponents { try snapshot.replaceByComponents(&keys) }
                return keys
            }
            var count = 0
            for position in keys.indices {
                let key = keys[position]
                let component = try snapshot.owner(ofData: key)?.component
                if let component, moc.changedObject(for: component) != nil { return nil }
                if areOfComponents, moc.changedObject(for: key)?.isDeleted == true { continue }
                guard let kept = areOfComponents ? component : key else { continue }
                keys[count] = kept
                count += 1
            }
            keys.removeSubrange(count...)
            return keys
        }
    }

    /// The components of a game object as the context sees them, with their data.
    func members(
        of object: GameObject, _ type: NSManagedObject.Type
    ) throws -> [(component: Component, data: NSManagedObject)] {
        var result: [(component: Component, data: NSManagedObject)] = []
        let numbers = try index.numbers(of: type, in: moc)
        for component in object.components where !component.isDeleted {
            let key = index.dataKey(of: component)
            if let key, !numbers.contains(key.entity) { continue }
            guard let data = try DataURIs.data(of: component, moc) else { continue }
            // Numbers are those of the main store.
            if key != nil || data.isKind(of: type) { result.append((component, data)) }
        }
        return result.sorted { $0.data.storedKey < $1.data.storedKey }
    }
}
