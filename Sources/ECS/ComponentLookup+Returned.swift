// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema

/// Saved components of data that is inserted again, as its saved deletion was undone: the file has
/// no entries for them until the next save.
extension ComponentLookup {
    /// The component that points to such data.
    func returnedComponent(ofData key: ObjectKey) throws -> Component? {
        guard moc.hasReturned else { return nil }
        return try returnedComponents()[key].flatMap { isReturned($0, key) ? $0 : nil }
    }

    /// Whether a game object has such data.
    func hasReturnedData(_ object: GameObject) throws -> Bool {
        guard moc.hasReturned else { return false }
        return try returnedComponents().contains { key, component in
            isReturned(component, key) && component.gameObject === object
        }
    }

    /// The game objects that have such data of some entities.
    func gameObjects(withReturned numbers: [EntityNumber]) throws -> [GameObject] {
        guard moc.hasReturned else { return [] }
        return try returnedComponents().compactMap { key, component in
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
    private func returnedComponents() throws -> [ObjectKey: Component] {
        let token = moc.returnToken
        if let known = index.returned, known.token == token { return known.components }
        let keys = Set(moc.returnedKeys)
        var components: [ObjectKey: Component] = [:]
        if !keys.isEmpty {
            for component in try moc.fetch(Component.fetchRequest()) {
                guard let key = index.dataKey(of: component), keys.contains(key) else { continue }
                components[key] = component
            }
        }
        index.returned = (token, components)
        return components
    }
}
