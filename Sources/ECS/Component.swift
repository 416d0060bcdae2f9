// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Foundation
import ManagedObjects
import Schema

/// One aspect of a game object: it points to its data, which may be any managed object.
///
/// ```swift
/// for component in try hero.getComponents(ofType: Stat.self) {
///     let stat: Stat? = try component.fetchData()
///     print(stat?.value ?? 0)
/// }
/// ```
///
/// The pointer is the URI of the data's permanent ID, so a component can be made before the first
/// save of its data and be read by any program.
open class Component: NSManagedObject, IndexedWhileUnsaved {
    private static let ownerKey = PropertyKey("gameObject")
    private static let representationKey = PropertyKey("representation")

    /// The game object that has the component.
    public final var gameObject: GameObject? {
        get { __lode_read(Self.ownerKey) }
        set { __lode_write(newValue, Self.ownerKey) }
    }

    /// The key of ``gameObject``, without a look at it where nothing can be wrong with it.
    final var gameObjectKey: ObjectKey? {
        // What a new object leads to was checked when it was set; a record may be damaged.
        isInserted ? destinationKey(Self.ownerKey) : gameObject?.contextKey
    }

    /// The URI of the data's ID; the attribute may be modelled as URI or as string.
    public final var representation: URL? {
        get { representationText.flatMap { URL(string: $0) } }
        set { representationText = newValue?.absoluteString }
    }

    /// The text of ``representation``, which look-ups use without making a URL.
    final var representationText: String? {
        get { text(Self.representationKey) }
        set { setText(newValue, Self.representationKey) }
    }

    /// A request for all components.
    public class func fetchRequest() -> NSFetchRequest<Component> {
        NSFetchRequest<Component>(entityName: "Component")
    }

    /// Makes a component for data; data that already has one keeps it, as data has one owner.
    ///
    /// Give it a game object before it is saved: no look-up finds a saved one without.
    ///
    /// - Parameters:
    ///   - data: Any managed object of the same context; it gets its permanent ID first.
    ///   - moc: The context.
    /// - Throws: What obtaining a permanent ID throws; 134060 for unsaved data of another context,
    ///   which has no ID to point to yet.
    @discardableResult
    public static func create(
        data: NSManagedObject, moc: NSManagedObjectContext
    ) throws -> Component {
        var isNew = false
        if data.managedObjectContext !== moc {
            try checkID(of: data, moc)
        } else if moc.permanentKey(of: data) == nil {
            isNew = try moc.obtainPermanentID(for: data)
        }
        return try make(data, isNew: isNew, moc)
    }

    /// Throws for data whose ID the context cannot make permanent.
    static func checkID(of data: NSManagedObject, _ moc: NSManagedObjectContext) throws {
        guard data.managedObjectContext !== moc, data.objectID.isTemporaryID else { return }
        throw CoreDataError.make(
            .coreData,
            "\(data.objectID) is unsaved and not of the component's context; save it first, or use "
                + "the context of the data")
    }

    /// Makes a component for data that has its ID, if it has none yet.
    ///
    /// - Parameter isNew: Whether nothing can point to the data, as it has just got its ID.
    static func make(
        _ data: NSManagedObject, isNew: Bool, _ moc: NSManagedObjectContext
    ) throws -> Component {
        if !isNew, let known = try ComponentLookup(moc).component(of: data) { return known }
        let component = Component(context: moc)
        component.representationText = try DataURIs.text(of: data, moc)
        return component
    }

    /// The component whose data has an ID; nil when no component points to it, or only one that
    /// was saved without a game object.
    ///
    /// - Complexity: One key look-up, however many objects are unsaved.
    public static func fetch(
        managedObjectID: NSManagedObjectID, moc: NSManagedObjectContext
    ) throws -> Component? {
        try ComponentLookup(moc).component(ofData: managedObjectID)
    }

    /// The data; nil when it was deleted.
    public final func fetchData() throws -> NSManagedObject? {
        guard let moc = managedObjectContext else { return nil }
        return try DataURIs.data(of: self, moc)
    }

    /// The data as a type; nil when it was deleted or is of another type.
    public final func fetchData<Data: NSManagedObject>() throws -> Data? {
        guard let moc = managedObjectContext else { return nil }
        return try DataURIs.data(of: self, moc) as? Data
    }
}
