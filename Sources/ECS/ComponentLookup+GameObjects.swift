// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema
import Store

/// Finds game objects.
extension ComponentLookup {
    /// The game objects that have data of a type, in the order of their creation.
    func gameObjects(withType type: NSManagedObject.Type) throws -> [GameObject] {
        let numbers = try moc.entityNumbers(of: type)
        let touched = try touchedGameObjects(numbers)
        var objects = try formerGameObjects(type, numbers).filter {
            !$0.isDeleted && !touched.contains($0)
        }
        for object in touched where !object.isDeleted {
            if try !members(of: object, type).isEmpty { objects.append(object) }
        }
        var known: Set<ObjectIdentifier>?
        for number in numbers {
            try index.forEachComponent(ofType: number, in: moc) { component, data in
                guard let owner = component.gameObject, !owner.isDeleted, !touched.contains(owner),
                    try moc.existingObject(for: data) != nil
                else { return }
                if known == nil { known = Set(objects.map(ObjectIdentifier.init)) }
                if known?.insert(ObjectIdentifier(owner)).inserted == true { objects.append(owner) }
            }
        }
        let elsewhere = try gameObjects(withTypeElsewhere: type)
        if !elsewhere.isEmpty { objects = Array(Set(objects).union(elsewhere)) }
        // By their keys, as swapping objects counts references.
        return KeyOrder(ContiguousArray(objects.lazy.map(\.contextKey.rawValue))).positions
            .map { objects[$0] }
    }

    /// The game objects without this context's changes, each once.
    private func formerGameObjects(
        _ type: NSManagedObject.Type, _ numbers: [EntityNumber]
    ) throws -> [GameObject] {
        if moc.hasParent {
            return try moc.inheritedList { try ComponentLookup($0).gameObjects(withType: type) }
                .compactMap { $0 as? GameObject }
        }
        let snapshot = try moc.readSnapshot()
        if numbers.count == 1 {
            let keys = try moc.storage { try snapshot.gameObjects(withType: numbers[0]) }
            return keys.compactMap { moc.liveObject(for: $0) as? GameObject }
        }
        var keys: Set<ObjectKey> = []
        for number in numbers {
            keys.formUnion(try moc.storage { try snapshot.gameObjects(withType: number) })
        }
        return keys.compactMap { moc.liveObject(for: $0) as? GameObject }
    }

    /// The game objects that may have lost data of types: saved components of theirs, or their
    /// data, were changed or deleted.
    private func touchedGameObjects(_ numbers: [EntityNumber]) throws -> Set<GameObject> {
        var touched: Set<GameObject> = []
        for component in index.updated.values
        where component.managedObjectContext === moc && component.hasChanges {
            touch(component, &touched)
        }
        for object in moc.unsavedDeletions {
            if let component = object as? Component {
                touch(component, &touched)
            } else if numbers.contains(object.storedKey.entity),
                let owner = try formerOwner(ofData: object.storedKey)
            {
                touched.insert(owner)
            }
        }
        return touched
    }

    private func touch(_ component: Component, _ touched: inout Set<GameObject>) {
        if let owner = component.gameObject { touched.insert(owner) }
        let former = component.committedValues(forKeys: ["gameObject"])["gameObject"]
        if let former = former as? GameObject { touched.insert(former) }
    }

    /// The game object of a name; unsaved ones come first.
    func gameObject(named name: String) throws -> GameObject? {
        if let known = index.gameObject(named: name, in: moc) { return known }
        let request = GameObject.fetchRequest()
        request.predicate = NSPredicate(format: "name == %@", name)
        request.fetchLimit = 1
        let found: GameObject?
        if moc.hasParent {
            found =
                try moc.inherited { parent in
                    parent.processPendingChanges()
                    return try ComponentLookup(parent).gameObject(named: name)
                } as? GameObject
        } else {
            request.includesPendingChanges = false
            found = try moc.fetch(request).first
        }
        guard let found, found.hasChanges else { return found }
        // It was renamed or deleted; another object may have the name as well.
        request.includesPendingChanges = true
        return try moc.fetch(request).first
    }
}
