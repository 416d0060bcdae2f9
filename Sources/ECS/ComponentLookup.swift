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
        if moc.hasParent { return try formerComponent(ofData: key)?.gameObject }
        let snapshot = try moc.readSnapshot()
        return try moc.storage { try snapshot.owner(ofData: key) }
            .flatMap { moc.liveObject(for: $0.gameObject) as? GameObject }
    }

    // MARK: The components of a game object

    /// The data of one type that a game object has, in the order of their keys.
    func data(of object: GameObject, type: NSManagedObject.Type) throws -> [NSManagedObject] {
        var result: [NSManagedObject] = []
        let isComplete = try forEachSaved(of: object, type, wantsOwners: false) { key, _ in
            if let data = moc.liveObject(for: key) { result.append(data) }
        }
        return isComplete ? result : try members(of: object, type).map(\.data)
    }

    /// The components of one type of data that a game object has, in the order of the data's keys.
    func components(of object: GameObject, type: NSManagedObject.Type) throws -> [Component] {
        var result: [Component] = []
        let isComplete = try forEachSaved(of: object, type, wantsOwners: true) { key, owner in
            guard let owner, moc.changedObject(for: key)?.isDeleted != true,
                let component = moc.liveObject(for: owner.component) as? Component
            else { return }
            result.append(component)
        }
        return isComplete ? result : try members(of: object, type).map(\.component)
    }

    /// The most types that are looked up one by one; for more, a game object's components are
    /// visited.
    private static let greatestTypeCount = 4

    /// Calls a body with the data of a game object by look-up, and with the owners if wanted.
    ///
    /// - Returns: False if its components have to be visited, whatever was called.
    private func forEachSaved(
        of object: GameObject, _ type: NSManagedObject.Type, wantsOwners: Bool,
        _ body: (ObjectKey, ComponentOwner?) -> Void
    ) throws -> Bool {
        guard !object.isInserted, !object.hasUnsavedMembers(GameObject.componentsKey),
            !hasDataElsewhere
        else { return false }
        var numbers = try moc.entityNumbers(of: type)
        guard numbers.count <= ComponentLookup.greatestTypeCount else { return false }
        if numbers.count > 1 { numbers.sort { $0.rawValue < $1.rawValue } }
        let mayDiffer = !index.updated.isEmpty || moc.hasUnsavedDeletions
        let snapshot = try moc.readSnapshot()
        return try moc.storage {
            for number in numbers {
                for key in try snapshot.components(of: object.storedKey, type: number) {
                    guard mayDiffer || wantsOwners else {
                        body(key, nil)
                        continue
                    }
                    let owner = try snapshot.owner(ofData: key)
                    if mayDiffer, let owner, moc.changedObject(for: owner.component) != nil {
                        return false
                    }
                    body(key, owner)
                }
            }
            return true
        }
    }

    /// The components of a game object as the context sees them, with their data.
    func members(
        of object: GameObject, _ type: NSManagedObject.Type
    ) throws -> [(component: Component, data: NSManagedObject)] {
        var result: [(component: Component, data: NSManagedObject)] = []
        let numbers = try moc.entityNumbers(of: type)
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
