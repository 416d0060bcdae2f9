// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

/// A thing of a game or simulation: a name and components.
///
/// ```swift
/// let hero = GameObject.create(name: "Hero", moc: moc)
/// try hero.addComponent(with: stat, moc: moc)
/// try moc.save()
/// let same = try GameObject.fetch(name: "Hero", moc: moc)
/// print(try same?.getData(ofType: Stat.self).count ?? 0)
/// ```
///
/// A model includes it by adding ``makeEntities()`` to its entities, or declares entities named
/// `GameObject` and `Component` of these classes itself. Any managed object can be the data of a
/// component. Components are found by key and prefix look-ups that include unsaved changes.
open class GameObject: NSManagedObject, IndexedWhileUnsaved {
    private static let nameKey = PropertyKey("name")
    static let componentsKey = PropertyKey("components")

    /// The object's name.
    public final var name: String? {
        get { __lode_read(Self.nameKey) }
        set { __lode_write(newValue, Self.nameKey) }
    }

    /// All components.
    public final var components: Set<Component> {
        get { __lode_read(Self.componentsKey) }
        set { __lode_write(newValue, Self.componentsKey) }
    }

    /// Adds a component.
    public final func addToComponents(_ value: Component) {
        __lode_insert(value, Self.componentsKey)
    }

    /// Takes a component out.
    public final func removeFromComponents(_ value: Component) {
        __lode_remove(value, Self.componentsKey)
    }

    /// A request for all game objects.
    public class func fetchRequest() -> NSFetchRequest<GameObject> {
        NSFetchRequest<GameObject>(entityName: "GameObject")
    }

    /// Makes a game object of a name.
    @discardableResult
    public static func create(name: String, moc: NSManagedObjectContext) -> GameObject {
        let object = GameObject(context: moc)
        object.name = name
        return object
    }

    /// The game object of a name; one of them if several have it, nil if none.
    ///
    /// - Complexity: O(log n) with the index that ``makeEntities()`` sets up, however many objects
    ///   are unsaved.
    public static func fetch(name: String, moc: NSManagedObjectContext) throws -> GameObject? {
        moc.processPendingChanges()
        return try ComponentLookup(moc).gameObject(named: name)
    }
}
