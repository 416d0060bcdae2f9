// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store

extension NSPersistentStoreCoordinator {
    /// The newest position of the history.
    ///
    /// - Parameter stores: ``NSPersistentStore``s of the coordinator; all without a list or with
    ///   an empty one.
    /// - Returns: A token; `nil` where none of the stores has a history.
    /// - Complexity: O(stores)
    public func currentPersistentHistoryToken(
        fromStores stores: [Any]?
    ) -> NSPersistentHistoryToken? {
        let named = stores?.compactMap { $0 as? NSPersistentStore } ?? []
        var positions: [String: UInt64] = [:]
        for owner in named.isEmpty ? persistentStores : named {
            guard let range = try? owner.store?.historyRange() else { continue }
            positions[owner.identity] = max(range.last, range.first - 1)
        }
        return positions.isEmpty ? nil : NSPersistentHistoryToken(positions)
    }
}

/// What the options of a store say of its history.
enum HistoryTracking {
    static let processID = "\(ProcessInfo.processInfo.processIdentifier)"
    static let bundleID = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName

    /// What to write; `nil` where the options do not ask for a history.
    static func options(
        _ options: [AnyHashable: Any], _ model: CompiledModel? = nil
    ) -> HistoryOptions? {
        guard options.isSet(NSPersistentHistoryTrackingKey) else { return nil }
        var result = HistoryOptions(processID: processID, bundleID: bundleID)
        for runtime in model?.runtimes ?? [] {
            let kept = runtime.description.attributesByName.values
                .filter { $0.preservesValueInHistoryOnDeletion && !$0.isTransient }
            guard !kept.isEmpty else { continue }
            result.preservedAttributes[runtime.entity.name] = Set(kept.map(\.name))
        }
        return result
    }
}

extension NSManagedObjectContext {
    /// What the history says of the context's transactions.
    final var historyOrigin: HistoryOrigin {
        HistoryOrigin(author: transactionAuthor, contextName: name)
    }
}
