// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema
import Store

/// The unsaved components of a context by their data, and its unsaved game objects by their names.
///
/// An entry may be out of date, so each result is compared with the object.
final class UnsavedIndex {
    private let uris: DataURIs
    /// By the number of the data's entity, then by the data.
    // An array, as numbers are small: a file counts its entities.
    private var components: ContiguousArray<KeyTable<Component>> = []
    /// Components whose data another one has, too; the program made them itself.
    private var rivals: [ObjectKey: [Component]] = [:]
    private var gameObjects: [String: [GameObject]] = [:]
    /// The name under which a game object, which ``gameObjects`` keeps, was added last: each
    /// component that it gets changes it.
    private var names: [ObjectIdentifier: String] = [:]
    /// The saved components that were changed or deleted.
    var departures = ComponentDepartures()
    /// Whether saved components were changed since the last save: mostly none was, and no look-up
    /// has to ask ``departures``.
    private(set) var hasDepartures = false
    /// The entities of the types that were asked for, the least number first.
    // SAFETY: one thread uses it, that of its context, and no call back is made while it is read
    // or changed. Each look-up reads it.
    @exclusivity(unchecked) private var types:
        ContiguousArray<(type: ObjectIdentifier, numbers: [EntityNumber])> = []
    /// The saved components of data that has come back.
    var returned: ReturnedComponents?
    /// Room for the keys of a look-up, which gives it back.
    // SAFETY: as for `types`.
    @exclusivity(unchecked) var keys: ContiguousArray<ObjectKey> = []

    /// The index of a context, up to date.
    static func of(_ moc: NSManagedObjectContext) throws -> UnsavedIndex {
        guard let known = moc.attachment(UnsavedIndex.self),
            try known.uris.areOfMainStore(of: moc)
        else { return try make(moc) }
        if moc.hasUnindexed {
            for object in moc.takeUnindexed() { known.add(object) }
        }
        return known
    }

    private static func make(_ moc: NSManagedObjectContext) throws -> UnsavedIndex {
        // Forgets what was made for a former store.
        let uris = try DataURIs.of(moc)
        let made = moc.attachment(UnsavedIndex.self) { UnsavedIndex(uris) }
        for object in moc.takeAllIndexable() { made.add(object) }
        return made
    }

    private init(_ uris: DataURIs) { self.uris = uris }

    private func add(_ object: NSManagedObject) {
        if let component = object as? Component {
            add(component)
        } else if let object = object as? GameObject, let name = object.name {
            guard names.updateValue(name, forKey: ObjectIdentifier(object)) != name else { return }
            gameObjects[name, default: []].append(object)
        }
    }

    private func add(_ component: Component) {
        let key = dataKey(of: component)
        if !component.isInserted {
            departures.noteChange(of: component, key, formerDataKey(of: component))
            hasDepartures = true
        }
        guard let key else { return }
        let entity = Int(key.entity.rawValue)
        while components.count <= entity { components.append(KeyTable()) }
        let known = components[entity].updateValue(component, forKey: key)
        if let known, known !== component, dataKey(of: known) == key {
            rivals[key, default: []].append(known)
        }
    }

    /// The key of a component's data; `nil` for none, and for data of another store.
    func dataKey(of component: Component) -> ObjectKey? {
        component.representationText.flatMap { uris.key(of: $0) }
    }

    /// The key of the data that a saved component had before its changes.
    func formerDataKey(of component: Component) -> ObjectKey? {
        let former = component.committedValues(forKeys: ["representation"])
        let text =
            switch former["representation"] {
            case let url as URL: url.absoluteString
            case let other: other as? String
            }
        return text.flatMap { uris.key(of: $0) }
    }

    /// The unsaved component that points to data.
    func component(ofData key: ObjectKey, in moc: NSManagedObjectContext) -> Component? {
        let entity = Int(key.entity.rawValue)
        guard entity < components.count, let found = components[entity][key] else { return nil }
        return component(found, ofData: key, in: moc)
    }

    private func component(
        _ found: Component, ofData key: ObjectKey, in moc: NSManagedObjectContext
    ) -> Component? {
        if isTrue(found, key, moc) { return found }
        return rivals[key]?.last { isTrue($0, key, moc) }
    }

    /// Calls a body with each unsaved component that points to data of an entity.
    func forEachComponent(
        ofType entity: EntityNumber, in moc: NSManagedObjectContext,
        _ body: (Component, ObjectKey) throws -> Void
    ) rethrows {
        guard Int(entity.rawValue) < components.count else { return }
        for (key, found) in components[Int(entity.rawValue)].entries {
            if let component = component(found, ofData: key, in: moc) { try body(component, key) }
        }
    }

    private func isTrue(
        _ component: Component, _ key: ObjectKey, _ moc: NSManagedObjectContext
    ) -> Bool {
        component.managedObjectContext === moc && component.hasChanges && !component.isDeleted
            && dataKey(of: component) == key
    }

    /// The unsaved game object of a name; the bytes decide, as in a fetch.
    func gameObject(named name: String, in moc: NSManagedObjectContext) -> GameObject? {
        gameObjects[name]?.first { object in
            object.managedObjectContext === moc && object.hasChanges && !object.isDeleted
                && object.name.map { $0.utf8.elementsEqual(name.utf8) } ?? false
        }
    }

    /// Takes the room for keys, which is empty then.
    func takeKeys() -> ContiguousArray<ObjectKey> {
        var taken: ContiguousArray<ObjectKey> = []
        swap(&taken, &keys)
        taken.removeAll(keepingCapacity: true)
        return taken
    }

    /// The numbers of the entities of a type, ascending.
    func numbers(
        of type: NSManagedObject.Type, in moc: NSManagedObjectContext
    ) throws -> [EntityNumber] {
        for (known, numbers) in types where known == ObjectIdentifier(type) { return numbers }
        let numbers = try moc.entityNumbers(of: type).sorted { $0.rawValue < $1.rawValue }
        types.append((ObjectIdentifier(type), numbers))
        return numbers
    }
}
