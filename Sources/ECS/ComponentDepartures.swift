// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Schema

/// The saved components of a context that were changed or deleted, by the type of their data, so
/// that a look-up of one type does not visit those of others.
struct ComponentDepartures {
    /// By the number of the data's entity; 0, which none has, for data of other stores.
    private var changed: [UInt16: [ObjectIdentifier: Component]] = [:]
    private var deleted: [UInt16: [Component]] = [:]
    /// Those that were given other data, which few programs do.
    private var redirected: [ObjectIdentifier: Component] = [:]
    /// How many entries of each list of deleted components were taken.
    private var takenCounts: [Int] = []
    private var token: AnyObject?

    private static func number(_ key: ObjectKey?) -> UInt16 { key?.entity.rawValue ?? 0 }

    /// Notes a saved component that was changed.
    ///
    /// - Parameters:
    ///   - key: The key of its data.
    ///   - former: The key of the data that it had as it was saved.
    mutating func noteChange(of component: Component, _ key: ObjectKey?, _ former: ObjectKey?) {
        for number in [ComponentDepartures.number(key), ComponentDepartures.number(former)] {
            changed[number, default: [:]][ObjectIdentifier(component)] = component
        }
        if key != former { redirected[ObjectIdentifier(component)] = component }
    }

    /// Whether a saved component of a game object may have been given other data.
    func mayRedirect(componentsOf object: GameObject) -> Bool {
        redirected.values.contains { $0.hasChanges && $0.gameObject === object }
    }

    /// Takes in what was deleted since.
    ///
    /// - Parameters:
    ///   - lists: The deleted components, those of each entity in one list.
    ///   - token: Another one than before if the lists are no longer the same ones.
    ///   - former: The key of the data that a component had as it was saved.
    mutating func takeDeletions(
        _ lists: [ContiguousArray<NSManagedObject>], _ token: AnyObject,
        former: (Component) -> ObjectKey?
    ) {
        if self.token !== token || takenCounts.count != lists.count {
            self.token = token
            deleted = [:]
            takenCounts = Array(repeating: 0, count: lists.count)
        }
        for (index, list) in lists.enumerated() where list.count > takenCounts[index] {
            for case let component as Component in list[takenCounts[index]...] {
                deleted[ComponentDepartures.number(former(component)), default: []]
                    .append(component)
            }
            takenCounts[index] = list.count
        }
    }

    /// Calls a body with each component that had data of some types, or of other stores.
    func forEach(ofTypes numbers: [EntityNumber], _ body: (Component) -> Void) {
        for number in numbers.map(\.rawValue) + [0] {
            changed[number]?.values.forEach { if $0.hasChanges { body($0) } }
            deleted[number]?.forEach { if $0.isDeleted { body($0) } }
        }
    }
}
