// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// One store of a coordinator as a source of a root context's objects.
protocol StoreSource: ObjectSource {
    /// Whether the store has no objects of some entities, as far as that is known at once.
    func isEmpty(_ runtimes: [EntityRuntime]) throws -> Bool
    /// The dictionaries of a fetch.
    func dictionaries<Result>(
        _ request: NSFetchRequest<Result>, _ fetch: SourceFetch
    ) throws -> [NSDictionary]
    /// Runs a batch request.
    func run(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult
}

/// A store beside the main one.
///
/// Its objects keep copies of their values, as a child's objects do.
protocol FurtherRows: StoreSource, AnyObject {
    var further: FurtherStore { get }
    /// The context forgets its objects.
    func reset()
    /// Objects got their place in the context or lost it.
    func didRegister(_ key: ObjectKey)
    func didUnregister(_ key: ObjectKey)
}

extension FurtherRows {
    func reset() {}
    func didRegister(_ key: ObjectKey) {}
    func didUnregister(_ key: ObjectKey) {}
}
