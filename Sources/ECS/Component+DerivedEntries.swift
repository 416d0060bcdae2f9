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
        let store = transaction.store
        let former = old.flatMap { StoredComponent($0, object.entity.name, store) }
        let current = StoredComponent(object, store, resolve)
        guard former != current else { return }
        if let former {
            try transaction.deleteComponent(data: former.data, owner: former.owner(key))
        }
        if let current, try hasData(current, object, transaction) {
            try transaction.putComponent(data: current.data, owner: current.owner(key))
        }
    }

    /// Whether the data is part of the same save or stored: deletions are written before this.
    private static func hasData(
        _ component: StoredComponent, _ object: NSManagedObject, _ transaction: SaveTransaction
    ) throws -> Bool {
        if object.managedObjectContext?.liveObject(for: component.data)?.isInserted == true {
            return true
        }
        guard let ordinal = transaction.store.ordinal(of: component.data.entity) else {
            return false
        }
        return try transaction.record(
            for: component.data, in: transaction.store.tables[ordinal]) != nil
    }

    package static func delete(
        _ entity: String, _ key: ObjectKey, _ old: RecordView, _ transaction: SaveTransaction
    ) throws {
        guard let former = StoredComponent(old, entity, transaction.store) else {
            return
        }
        try transaction.deleteComponent(data: former.data, owner: former.owner(key))
    }
}

/// What a component's record says: which data, of which game object.
struct StoredComponent: Equatable {
    let data: ObjectKey
    let gameObject: ObjectKey

    func owner(_ component: ObjectKey) -> ComponentOwner {
        ComponentOwner(component: component, gameObject: gameObject)
    }

    /// Reads a record; nil for a component without data or game object.
    init?(_ record: RecordView, _ entity: String?, _ store: Store) {
        guard let table = entity.flatMap({ store.table(named: $0) }),
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
        guard let data = StoredComponent.key(of: text, in: store) else { return nil }
        self.data = data
        self.gameObject = gameObject
    }

    /// Reads an object that is being saved.
    init?(_ object: NSManagedObject, _ store: Store, _ resolve: (ObjectKey) -> ObjectKey) {
        guard let component = object as? Component, let owner = component.gameObject,
            let uri = component.representation?.absoluteString,
            let data = StoredComponent.key(of: uri, in: store)
        else { return nil }
        self.data = data
        gameObject = resolve(owner.contextKey)
    }

    /// The key in a URI of an object ID, `x-coredata://<store>/<Entity>/p<row>`; nil for data of
    /// another store.
    static func key(of uri: String, in store: Store) -> ObjectKey? {
        let parts = uri.split(separator: "/")
        guard parts.count == 4, parts[1].uppercased() == store.uuid.description,
            parts[3].hasPrefix("p"), let number = UInt64(parts[3].dropFirst()), number > 0,
            number < ObjectKey.temporaryBit, let name = String(parts[2]).removingPercentEncoding,
            let table = store.table(named: name)
        else { return nil }
        return ObjectKey(entity: table.number, row: number)
    }
}
