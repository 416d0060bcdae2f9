// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import RecordFormat
import Schema
import Store

extension Component {
    /// Writes the entries of components that were left behind by data which comes back.
    package static func restore(
        for keys: Set<ObjectKey>, in table: EntityTable, _ transaction: SaveTransaction
    ) throws {
        var found: [(key: ObjectKey, component: StoredComponent)] = []
        try transaction.forEachRecord(in: table) { key, record in
            if let component = StoredComponent(record, table.entity.name, transaction),
                keys.contains(component.data)
            {
                found.append((key, component))
            }
        }
        for (key, component) in found
        where try transaction.componentOwner(ofData: component.data) == nil {
            try transaction.putComponent(data: component.data, owner: component.owner(key))
        }
    }
}
