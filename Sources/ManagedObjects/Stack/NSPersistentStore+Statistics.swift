// SPDX-License-Identifier: Apache-2.0

import Store

extension NSPersistentStore {
    /// How much space a store takes, and for what.
    public typealias Statistics = StoreStatistics
    /// The size and shape of one table of a store.
    public typealias Table = TableStatistics

    /// The sizes of the store's tables: objects of each entity, relationships and indexes.
    ///
    /// - Throws: 134070 when the store was removed or cannot be read.
    /// - Complexity: O(tables); no table is read through.
    public final func statistics() throws -> Statistics {
        let store = try requireOpenStore()
        return try CoreDataError.mapping { try store.statistics() }
    }

    /// The file that is open.
    ///
    /// - Throws: 134070 when the store was removed.
    final func requireOpenStore() throws -> Store {
        if let store { return store }
        throw CoreDataError.make(
            .persistentStoreOperation,
            "\(url?.path ?? identity): the store was removed from its coordinator; add it again")
    }
}
