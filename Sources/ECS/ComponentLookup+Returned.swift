// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema

/// Saved components of data that is inserted again, as its deletion was undone: the file has no
/// entries for them until the next save.
extension ComponentLookup {
    /// The component that points to such data.
    func returnedComponent(ofData key: ObjectKey) throws -> Component? {
        guard moc.hasReturned else { return nil }
        return try returned().components[key].flatMap { isReturned($0, key) ? $0 : nil }
    }

    /// Whether a game object may have such data, of components that were saved as its own.
    ///
    /// A component that was given to another game object since is among the unsaved ones of that.
    func mayHaveReturnedData(_ object: GameObject) throws -> Bool {
        guard moc.hasReturned else { return false }
        return try returned().owners.contains(object.contextKey)
    }

    /// The game objects that have such data of some entities.
    func gameObjects(withReturned numbers: [EntityNumber]) throws -> [GameObject] {
        guard moc.hasReturned else { return [] }
        return try returned().components.compactMap { key, component in
            guard numbers.contains(key.entity), isReturned(component, key),
                let owner = component.gameObject, !owner.isDeleted
            else { return nil }
            return owner
        }
    }

    private func isReturned(_ component: Component, _ key: ObjectKey) -> Bool {
        component.managedObjectContext === moc && !component.isDeleted
            && index.dataKey(of: component) == key && moc.isInserted(key)
    }

    /// - Complexity: O(components) after data has come back, else O(1)
    private func returned() throws -> ReturnedComponents {
        let token = moc.returnToken
        if let known = index.returned, known.token == token { return known }
        var found = ReturnedComponents(token: token)
        let keys = Set(moc.returnedKeys)
        if !keys.isEmpty {
            for component in try moc.fetch(Component.fetchRequest()) {
                guard let key = index.dataKey(of: component), keys.contains(key) else { continue }
                found.components[key] = component
                if let owner = component.gameObject { found.owners.insert(owner.contextKey) }
            }
        }
        index.returned = found
        return found
    }
}

/// The saved components of data that has come back, as of a return token.
struct ReturnedComponents {
    let token: (count: Int, last: ObjectIdentifier?)
    /// By the key of the data.
    var components: [ObjectKey: Component] = [:]
    /// The keys of their game objects.
    var owners: Set<ObjectKey> = []
}
