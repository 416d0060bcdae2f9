// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema
import Store

/// Answers which components there are: saved ones by key and prefix look-ups in `components` and
/// `owners`, corrected by what the context has not saved yet.
struct ComponentLookup {
    private let moc: NSManagedObjectContext

    init(_ moc: NSManagedObjectContext) { self.moc = moc }

    /// Notes a component that was made, to find it by its data before the save.
    func note(_ component: Component, data: ObjectKey) {
        unsaved.byData[data] = component
    }

    private var unsaved: UnsavedComponents {
        moc.attachment(UnsavedComponents.self) { UnsavedComponents() }
    }

    // MARK: One component

    /// The data of a component; nil when it is gone.
    func data(of component: Component) throws -> NSManagedObject? {
        guard let uri = component.representation,
            let id = moc.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri)
        else { return nil }
        if let known = moc.registeredObject(for: id), known.isInserted {
            return known.isDeleted ? nil : known
        }
        do {
            let object = try moc.existingObject(with: id)
            return object.isDeleted ? nil : object
        } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
            return nil
        }
    }

    /// The component that points to data.
    func component(ofData id: NSManagedObjectID) throws -> Component? {
        guard let uri = permanentURI(of: id), let data = try key(of: uri) else { return nil }
        if let known = try notedComponent(ofData: data, uri) { return known }
        let (inserted, updated, _) = moc.unsavedObjects
        return (inserted + updated).lazy.compactMap { $0 as? Component }
            .first { $0.representation == uri }
    }

    /// The component of data that was made by ``Component/create(data:moc:)`` or is saved.
    func notedComponent(ofData data: ObjectKey, _ uri: URL) throws -> Component? {
        if let known = unsaved.byData[data], isLive(known), known.representation == uri {
            return known
        }
        let snapshot = try moc.readSnapshot()
        guard let owner = try moc.storage({ try snapshot.owner(ofData: data) }),
            let component = moc.liveObject(for: owner.component) as? Component,
            !component.hasChanges || component.representation == uri
        else { return nil }
        return component
    }

    private func permanentURI(of id: NSManagedObjectID) -> URL? {
        if !id.isTemporaryID { return id.uriRepresentation() }
        guard let object = moc.registeredObject(for: id), !object.objectID.isTemporaryID else {
            return nil
        }
        return object.objectID.uriRepresentation()
    }

    private func key(of uri: URL) throws -> ObjectKey? {
        StoredComponent.key(of: uri.absoluteString, in: try moc.readSnapshot().store)
    }

    private func isLive(_ component: Component) -> Bool {
        component.managedObjectContext === moc && !component.isDeleted
    }

    // MARK: The components of a game object

    /// The data of one type that a game object has.
    func data(of object: GameObject, type: NSManagedObject.Type) throws -> [NSManagedObject] {
        if let keys = try savedData(of: object, type) {
            return keys.compactMap { moc.liveObject(for: $0) }
        }
        return try unsavedMembers(of: object, type).map(\.data)
    }

    /// The components of one type of data that a game object has.
    func components(of object: GameObject, type: NSManagedObject.Type) throws -> [Component] {
        if let keys = try savedData(of: object, type) {
            let snapshot = try moc.readSnapshot()
            return try keys.compactMap { key in
                if moc.changedObject(for: key)?.isDeleted == true { return nil }
                return try moc.storage { try snapshot.owner(ofData: key) }
                    .flatMap { moc.liveObject(for: $0.component) as? Component }
            }
        }
        return try unsavedMembers(of: object, type).map(\.component)
    }

    /// The data keys of a game object by look-up; nil when unsaved changes have to be looked at.
    private func savedData(
        of object: GameObject, _ type: NSManagedObject.Type
    ) throws -> [ObjectKey]? {
        guard !object.isInserted, !object.hasUnsavedMembers("components") else { return nil }
        let snapshot = try moc.readSnapshot()
        var keys: [ObjectKey] = []
        for number in try moc.entityNumbers(of: type) {
            keys += try moc.storage {
                try snapshot.components(of: object.storedKey, type: number)
            }
        }
        for key in keys {
            let owner = try moc.storage { try snapshot.owner(ofData: key) }
            if let owner, moc.changedObject(for: owner.component) != nil { return nil }
        }
        return keys
    }

    /// The components of a game object as the context sees them, with their data.
    private func unsavedMembers(
        of object: GameObject, _ type: NSManagedObject.Type
    ) throws -> [(component: Component, data: NSManagedObject)] {
        var result: [(component: Component, data: NSManagedObject)] = []
        let numbers = Set(try moc.entityNumbers(of: type))
        for component in object.components where !component.isDeleted {
            guard let data = try data(of: component) else { continue }
            if numbers.contains(data.storedKey.entity) { result.append((component, data)) }
        }
        return result.sorted { $0.data.storedKey < $1.data.storedKey }
    }

    // MARK: The game objects of a type

    /// The game objects that have data of a type, in the order of their creation.
    func gameObjects(withType type: NSManagedObject.Type) throws -> [GameObject] {
        let numbers = try moc.entityNumbers(of: type)
        let snapshot = try moc.readSnapshot()
        var keys: Set<ObjectKey> = []
        for number in numbers {
            keys.formUnion(try moc.storage { try snapshot.gameObjects(withType: number) })
        }
        var objects = keys.compactMap { moc.liveObject(for: $0) as? GameObject }
        let touched = try touchedGameObjects(snapshot)
        objects.removeAll { touched.contains($0) }
        for object in touched where !object.isDeleted {
            if try !unsavedMembers(of: object, type).isEmpty { objects.append(object) }
        }
        return objects.sorted { $0.contextKey < $1.contextKey }
    }

    /// The game objects whose components or data have unsaved changes.
    private func touchedGameObjects(_ snapshot: StoreSnapshot) throws -> Set<GameObject> {
        let (inserted, updated, deleted) = moc.unsavedObjects
        var touched: Set<GameObject> = []
        for object in inserted + updated + deleted {
            if let gameObject = object as? GameObject { touched.insert(gameObject) }
            if let owner = (object as? Component)?.gameObject { touched.insert(owner) }
        }
        for data in deleted {
            let owner = try moc.storage { try snapshot.owner(ofData: data.storedKey) }
            if let owner, let object = moc.liveObject(for: owner.gameObject) as? GameObject {
                touched.insert(object)
            }
        }
        for component in updated + deleted where component is Component {
            let former = component.committedValues(forKeys: ["gameObject"])["gameObject"]
            if let former = former as? GameObject { touched.insert(former) }
        }
        return touched
    }
}

/// The components made since the last save, by the key of their data.
private final class UnsavedComponents {
    var byData: [ObjectKey: Component] = [:]
}
