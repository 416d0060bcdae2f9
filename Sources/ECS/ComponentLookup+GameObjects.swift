// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema
import Store

/// Finds game objects.
extension ComponentLookup {
    /// The game objects that have data of a type, in the order of their creation.
    func gameObjects(withType type: NSManagedObject.Type) throws -> [GameObject] {
        let numbers = try index.numbers(of: type, in: moc)
        let touched = try touchedGameObjects(numbers)
        var objects = try formerGameObjects(type, numbers)
        if !touched.isEmpty || moc.hasUnsavedDeletions {
            objects.removeAll { $0.isDeleted || touched.contains($0) }
        }
        // What may be among them already, and more than once.
        var others: [GameObject] = []
        for object in touched where !object.isDeleted {
            if try !members(of: object, type).isEmpty { others.append(object) }
        }
        for number in numbers {
            try index.forEachComponent(ofType: number, in: moc) { component, data in
                guard let owner = component.gameObject, !owner.isDeleted, !touched.contains(owner),
                    // Asked first, as mostly the data is as new as its component.
                    try moc.isInserted(data) || moc.existingObject(for: data) != nil
                else { return }
                others.append(owner)
            }
        }
        others += try gameObjects(withTypeElsewhere: type)
        others += try gameObjects(withReturned: numbers)
        if !others.isEmpty { ComponentLookup.merge(others, into: &objects) }
        return objects
    }

    /// Adds game objects to those in the order of their creation, each once.
    ///
    /// - Parameters:
    ///   - others: In any order and perhaps several times.
    ///   - objects: In that order and once.
    private static func merge(_ others: [GameObject], into objects: inout [GameObject]) {
        // By their keys, as swapping objects counts references.
        let added = order(of: others)
        if let last = objects.last, let first = added.first,
            others[first].orderNumber <= last.orderNumber
        {
            let all = objects + others
            objects = []
            append(order(of: all).lazy.map { all[$0] }, to: &objects)
        } else {
            append(added.lazy.map { others[$0] }, to: &objects)
        }
    }

    private static func order(of objects: [GameObject]) -> ContiguousArray<Int> {
        KeyOrder(ContiguousArray(objects.lazy.map(\.orderNumber))).positions
    }

    /// Appends ordered game objects without those that equal the one in front.
    private static func append(
        _ ordered: some Collection<GameObject>, to objects: inout [GameObject]
    ) {
        objects.reserveCapacity(objects.count + ordered.count)
        for object in ordered where object !== objects.last { objects.append(object) }
    }

    /// The game objects without this context's changes, each once and in the order of their keys.
    private func formerGameObjects(
        _ type: NSManagedObject.Type, _ numbers: [EntityNumber]
    ) throws -> [GameObject] {
        if moc.hasParent {
            let found = try moc.inheritedList { parent in
                try ComponentLookup(parent).gameObjects(withType: type)
            }
            var objects: [GameObject] = []
            ComponentLookup.merge(found.compactMap { $0 as? GameObject }, into: &objects)
            return objects
        }
        let snapshot = try moc.readSnapshot()
        var keys: ContiguousArray<ObjectKey> = []
        for number in numbers {
            keys += try moc.storage { try snapshot.gameObjects(withType: number) }
        }
        if numbers.count > 1 {
            let order = KeyOrder(ContiguousArray(keys.lazy.map(\.rawValue))).positions
            var ordered: ContiguousArray<ObjectKey> = []
            for position in order where keys[position] != ordered.last {
                ordered.append(keys[position])
            }
            keys = ordered
        }
        return moc.liveObjects(for: keys, as: GameObject.self)
    }

    /// The game objects that may have lost data of types: saved components of theirs, or their
    /// data, were changed or deleted.
    private func touchedGameObjects(_ numbers: [EntityNumber]) throws -> Set<GameObject> {
        var touched: Set<GameObject> = []
        if moc.hasUnsavedDeletions {
            let own = try index.numbers(of: Component.self, in: moc)
            let (lists, token) = try moc.unsavedDeletions(of: own)
            index.departures.takeDeletions(lists, token, former: index.formerDataKey)
            for object in try moc.unsavedDeletions(of: numbers).lists.joined()
            where object.isDeleted {
                if let owner = try formerOwner(ofData: object.storedKey) { touched.insert(owner) }
            }
        }
        index.departures.forEach(ofTypes: numbers) { component in
            if component.managedObjectContext === moc { touch(component, &touched) }
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
        if !moc.hasParent { return try unchangedObject(request) }
        request.includesPendingChanges = true
        return try moc.fetch(request).first
    }

    /// A saved game object without unsaved changes; the index has those with changes, all of which
    /// a fetch with pending changes would look at.
    private func unchangedObject(_ request: NSFetchRequest<GameObject>) throws -> GameObject? {
        request.fetchLimit = 16
        while true {
            let found = try moc.fetch(request)
            if let object = found.first(where: { !$0.hasChanges }) { return object }
            if found.count < request.fetchLimit { return nil }
            request.fetchLimit *= 4
        }
    }
}
