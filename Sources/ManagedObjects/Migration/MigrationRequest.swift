// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the options of a store say about a file whose model has other versions of the entities.
enum MigrationRequest {
    /// It is refused with 134100.
    case none
    /// It is migrated, if a mapping can be inferred by which nothing is lost.
    case inferred
    /// It is migrated, if a mapping can be inferred.
    case inferredWithLosses
    /// It would take a mapping model of the program's own, which Linux has no files of.
    case stated

    init(_ options: [AnyHashable: Any]) {
        let isWanted = options.isSet(NSMigratePersistentStoresAutomaticallyOption)
        let isInferred = options.isSet(NSInferMappingModelAutomaticallyOption)
        let mayRemove = options.isSet(LodeMigrationMayRemoveOption)
        self =
            switch (isWanted, isInferred) {
            case (false, _): .none
            case (true, false): .stated
            case (true, true): mayRemove ? .inferredWithLosses : .inferred
            }
    }
}

extension NSPersistentStoreDescription {
    /// The options to add the store with: the stated ones and, unless these say otherwise, whether
    /// it is migrated.
    var openingOptions: [String: NSObject] {
        options.merging(
            [
                NSMigratePersistentStoresAutomaticallyOption: NSNumber(
                    value: shouldMigrateStoreAutomatically),
                NSInferMappingModelAutomaticallyOption: NSNumber(
                    value: shouldInferMappingModelAutomatically),
            ], uniquingKeysWith: { stated, _ in stated })
    }
}
