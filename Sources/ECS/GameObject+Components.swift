// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

extension GameObject {
    /// Gives the object a component with data, which leaves the object that had it before.
    ///
    /// - Parameters:
    ///   - data: Any managed object of the same context; it gets its permanent ID now.
    ///   - moc: The context.
    /// - Throws: What obtaining a permanent ID throws; 134060 for unsaved data of another context.
    @discardableResult
    public final func addComponent(
        with data: NSManagedObject, moc: NSManagedObjectContext
    ) throws -> Component {
        let component = try Component.create(data: data, moc: moc)
        component.gameObject = self
        return component
    }

    /// Gives the object components with data, in one step: the data get their permanent IDs by one
    /// reservation.
    ///
    /// ```swift
    /// let stats = (1...3).map { _ in Stat(context: moc) }
    /// try hero.addComponents(with: stats, moc: moc)
    /// ```
    ///
    /// Does what a call of ``addComponent(with:moc:)`` for each of the data does: data that has a
    /// component keeps it and leaves the object that had it before.
    ///
    /// - Parameters:
    ///   - data: Managed objects of the same context, of any classes.
    ///   - moc: The context.
    /// - Returns: The components, in the order of the data. Data that comes twice has the same
    ///   component both times.
    /// - Throws: What obtaining permanent IDs throws, and 134060 for unsaved data of another
    ///   context; then no component was added.
    /// - Complexity: O(data) for new data, without any look-up; data that has an ID already takes
    ///   one key look-up.
    @discardableResult
    public final func addComponents(
        with data: [NSManagedObject], moc: NSManagedObjectContext
    ) throws -> [Component] {
        var components: [Component] = []
        components.reserveCapacity(data.count)
        var areChecked = false
        try moc.obtainPermanentIDs(for: data) { datum, isNew in
            // What has just got its ID needs no look.
            if !isNew, !areChecked {
                do { for datum in data { try Component.checkID(of: datum, moc) } } catch {
                    // All of them were made here.
                    for component in components {
                        component.gameObject = nil
                        moc.delete(component)
                    }
                    throw error
                }
                areChecked = true
            }
            let component = try Component.make(datum, isNew: isNew, moc)
            component.gameObject = self
            components.append(component)
        }
        return components
    }

    /// The components whose data is of a type or inherits from it.
    ///
    /// - Complexity: One key look-up an entity of the type, if the object's components are saved
    ///   and the entities are four at most; otherwise a look at the object's components.
    public final func getComponents(
        ofType type: NSManagedObject.Type
    ) throws -> [Component] {
        guard let moc = managedObjectContext else { return [] }
        return try ComponentLookup(moc).components(of: self, type: type)
    }

    /// The data of one component of the type that is asked for; nil where there is none.
    ///
    /// Of several the one that was made first:
    ///
    /// ```swift
    /// let stat: Stat? = try hero.getData()
    /// ```
    @inlinable
    public final func getData<Data: NSManagedObject>() throws -> Data? {
        try getData(ofType: Data.self).first
    }

    /// The data of all components.
    public final func getData() throws -> [NSManagedObject] {
        try data(ofType: NSManagedObject.self)
    }

    /// The data of the components whose data is of a type or inherits from it.
    ///
    /// - Complexity: One key look-up an entity of the type, if the object's components are saved
    ///   and the entities are four at most; otherwise a look at the object's components.
    @inlinable
    public final func getData<Data: NSManagedObject>(ofType type: Data.Type) throws -> [Data] {
        try data(ofType: type).compactMap { $0 as? Data }
    }

    @usableFromInline
    func data(ofType type: NSManagedObject.Type) throws -> [NSManagedObject] {
        guard let moc = managedObjectContext else { return [] }
        return try ComponentLookup(moc).data(of: self, type: type)
    }

    /// Takes a component away.
    ///
    /// - Parameters:
    ///   - data: The component's data; nothing happens if it is not of this object.
    ///   - deletingData: Whether the data is deleted as well.
    public final func removeComponent(
        with data: NSManagedObject, deletingData: Bool = true
    ) throws {
        guard let moc = managedObjectContext,
            let component = try ComponentLookup(moc).component(of: data),
            component.gameObject === self
        else { return }
        removeFromComponents(component)
        moc.delete(component)
        if deletingData { moc.delete(data) }
    }

    /// All game objects that have a component with data of a type.
    ///
    /// ```swift
    /// for object in try GameObject.fetchAll(withComponentOfType: Stat.self, moc: moc) {
    ///     print(object.name ?? "", try object.getData(ofType: Stat.self).map(\.value))
    /// }
    /// ```
    ///
    /// - Complexity: One prefix scan an entity of the type, and what is unsaved of it.
    public static func fetchAll(
        withComponentOfType type: NSManagedObject.Type, moc: NSManagedObjectContext
    ) throws -> [GameObject] {
        try ComponentLookup(moc).gameObjects(withType: type)
    }

    /// The game object that a data object belongs to; nil where one of the two is deleted.
    ///
    /// - Complexity: One key look-up, however many objects are unsaved.
    public static func fetch(
        data: NSManagedObject, moc: NSManagedObjectContext
    ) throws -> GameObject? {
        guard !data.isDeleted,
            let component = try ComponentLookup(moc).component(of: data),
            let owner = component.gameObject, !owner.isDeleted
        else { return nil }
        return owner
    }
}
