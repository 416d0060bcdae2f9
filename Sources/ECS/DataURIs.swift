// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema
import Store

/// The URIs of data objects, `x-coredata://<store>/<Entity>/p<row>`, made and read as bytes.
///
/// All that comes before the row is the same for the objects of an entity and is kept, so that
/// neither names nor numbers are looked up for each component.
final class DataURIs {
    private let store: Store
    /// What the context said of its main store when this was found to be of it.
    private var generation: Int
    // SAFETY: one thread uses it, that of its context or of its transaction, and no call back is
    // made while it is changed. Each look-up reads it.
    @exclusivity(unchecked) private var prefixes: ContiguousArray<URIPrefix> = []

    private init(_ store: Store, _ generation: Int) {
        self.store = store
        self.generation = generation
    }

    /// Whether they are those of a context's main store.
    @inline(__always)
    func areOfMainStore(of moc: NSManagedObjectContext) throws -> Bool {
        // Mostly no store was removed: the coordinator takes locks to tell which one it has.
        let current = moc.mainStoreGeneration
        if current == generation { return true }
        guard try moc.mainStore() === store else { return false }
        generation = current
        return true
    }

    /// Those of a context's main store.
    static func of(_ moc: NSManagedObjectContext) throws -> DataURIs {
        if let known = moc.attachment(DataURIs.self) {
            if try known.areOfMainStore(of: moc) { return known }
            // The coordinator has another store by now, and all that was kept belongs to the
            // former one.
            moc.dropAttachments()
        }
        // Asked before the store: a removal in between is found out by the next look.
        let generation = moc.mainStoreGeneration
        let store = try moc.mainStore()
        return moc.attachment(DataURIs.self) { DataURIs(store, generation) }
    }

    /// Those of a transaction's store.
    static func of(_ transaction: SaveTransaction) -> DataURIs {
        if let known = transaction.attachment as? DataURIs { return known }
        // A transaction is of one store.
        let made = DataURIs(transaction.store, 0)
        transaction.attachment = made
        return made
    }

    /// The URI of an object that has a permanent ID.
    static func text(of data: NSManagedObject, _ moc: NSManagedObjectContext) throws -> String {
        guard data.managedObjectContext === moc, let key = data.mainStoreKey else {
            return data.objectID.uriText
        }
        let uris = try of(moc)
        for known in uris.prefixes where known.entity == key.entity {
            return known.text(ofRow: key.row)
        }
        let made = data.objectID.uriText
        _ = uris.key(of: made)
        return made
    }

    /// The data of a component of a context; nil when it is gone.
    static func data(
        of component: Component, _ moc: NSManagedObjectContext
    ) throws -> NSManagedObject? {
        guard let text = component.representationText else { return nil }
        if let key = try of(moc).key(of: text) { return try moc.existingObject(for: key) }
        // Data of another store of the coordinator.
        guard
            let id = URL(string: text).flatMap({
                moc.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: $0)
            })
        else { return nil }
        do {
            let object = try moc.existingObject(with: id)
            return object.isDeleted ? nil : object
        } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
            return nil
        }
    }

    /// The key in a URI; `nil` for data of another store.
    func key(of text: String) -> ObjectKey? {
        for prefix in prefixes {
            guard let row = prefix.row(in: text) else { continue }
            return row.map { ObjectKey(entity: prefix.entity, row: $0) }
        }
        return parse(text)
    }

    private func parse(_ text: String) -> ObjectKey? {
        guard let uri = URL(string: text).flatMap(ObjectURI.init),
            uri.isOf(store: store.uuid.description), let table = store.table(named: uri.entity),
            let row = uri.row, text.hasSuffix(uri.name)
        else { return nil }
        prefixes.append(URIPrefix(text.dropLast(uri.name.count), table.number))
        return ObjectKey(entity: table.number, row: row)
    }
}
