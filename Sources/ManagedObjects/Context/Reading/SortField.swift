// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema

/// A key that a fetch sorts objects by, with the place where it was found last.
final class SortField {
    let key: SortKey
    private let cache = FieldCache()
    /// The key, if the path has no other; nil for those that ``ObjectSubject`` knows before it asks
    /// the entity.
    private let name: String?

    init(_ key: SortKey) {
        self.key = key
        let name = key.keyPath.count == 1 ? key.keyPath[0] : nil
        self.name = name == "self" || name == "objectID" ? nil : name
    }

    /// What an object knows at the key path, which ends in a single value.
    @inline(__always)
    func value(of object: NSManagedObject) throws -> Value {
        if let name, let position = cache.attribute(name, of: object.runtime) {
            return object.fieldValue(position)
        }
        return try ObjectSubject(object).value(at: key.keyPath)
    }
}

extension FetchDescription {
    /// The keys to sort by, for the objects of one fetch.
    var sortFields: [SortField] { sortOrders.map(SortField.init) }
}
