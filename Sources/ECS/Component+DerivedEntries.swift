// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import RecordFormat
import Schema
import Store

/// Keeps the `components` and `owners` databases in the transaction that saves components.
extension Component: DerivedEntries {
    package static func write(
        _ object: NSManagedObject, _ key: ObjectKey, _ old: RecordView?,
        _ transaction: SaveTransaction, _ resolve: (ObjectKey) -> ObjectKey
    ) throws {
        let former = old.flatMap { StoredComponent($0, object.entity.name, transaction) }
        let current = StoredComponent(object, transaction, resolve)
        guard former != current else { return }
        if let former {
            try transaction.deleteComponent(data: former.data, owner: former.owner(key))
        }
        guard let current else { return }
        if transaction.insertedKeys.contains(current.data) {
            let owner = current.owner(key)
            if try transaction.putComponent(ofNewData: current.data, owner: owner) { return }
        } else if try !isStored(current.data, transaction) {
            return
        }
        try checkHolder(of: current.data, object, key, transaction)
        try transaction.putComponent(data: current.data, owner: current.owner(key))
    }

    /// Refuses data that another save has given to another component meanwhile.
    ///
    /// A component that this save changes as well is about to release it.
    private static func checkHolder(
        of data: ObjectKey, _ object: NSManagedObject, _ key: ObjectKey,
        _ transaction: SaveTransaction
    ) throws {
        guard let holder = try transaction.componentOwner(ofData: data)?.component, holder != key,
            object.managedObjectContext?.changedObject(for: holder) == nil
        else { return }
        throw DisplacedEntry(object, holder: holder)
    }

    /// Whether data has a record: deletions are written before this.
    private static func isStored(
        _ data: ObjectKey, _ transaction: SaveTransaction
    ) throws -> Bool {
        guard let ordinal = transaction.store.ordinal(of: data.entity) else { return false }
        return try transaction.record(for: data, in: transaction.store.tables[ordinal]) != nil
    }

    package static func delete(
        _ entity: String, _ key: ObjectKey, _ old: RecordView, _ transaction: SaveTransaction
    ) throws {
        guard let former = StoredComponent(old, entity, transaction) else {
            return
        }
        try transaction.deleteComponent(data: former.data, owner: former.owner(key))
    }
}

/// The contents of a component's record: its data and its game object.
struct StoredComponent: Equatable {
    let data: ObjectKey
    let gameObject: ObjectKey

    func owner(_ component: ObjectKey) -> ComponentOwner {
        ComponentOwner(component: component, gameObject: gameObject)
    }

    /// Reads a record; nil for a component without data or game object.
    init?(_ record: RecordView, _ entity: String?, _ transaction: SaveTransaction) {
        guard let table = entity.flatMap({ transaction.store.table(named: $0) }),
            let dataField = table.field(named: "representation"),
            let ownerField = table.field(named: "gameObject"),
            case .objectID(let gameObject)? = record.value(ownerField, in: table.layout)
        else { return nil }
        let text: String
        switch record.value(dataField, in: table.layout) {
        case .uri(let uri): text = uri
        case .string(let string): text = string
        default: return nil
        }
        guard let data = DataURIs.of(transaction).key(of: text) else { return nil }
        self.data = data
        self.gameObject = gameObject
    }

    /// Reads an object that is being saved.
    init?(
        _ object: NSManagedObject, _ transaction: SaveTransaction,
        _ resolve: (ObjectKey) -> ObjectKey
    ) {
        guard let component = object as? Component, let owner = component.gameObjectKey,
            let data = component.representationText.flatMap({
                DataURIs.of(transaction).key(of: $0)
            })
        else { return nil }
        self.data = data
        gameObject = resolve(owner)
        if gameObject.rawValue == 0 { return nil }
    }
}
