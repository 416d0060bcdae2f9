// SPDX-License-Identifier: Apache-2.0

import Foundation
import Store

extension CoreDataError {
    /// Runs a storage operation and gives its errors Core Data's codes.
    static func mapping<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw map(error)
        }
    }

    static func map(_ error: StoreError) -> CocoaError {
        let code: CocoaError.Code =
            switch error.code {
            case .storage where error.isForeignFile: .persistentStoreOpen
            case .storage, .damaged: .persistentStoreOperation
            case .notAStore, .newerFormat: .persistentStoreOpen
            case .incompatibleModel: .persistentStoreIncompatibleVersionHash
            case .readOnly: .persistentStoreSave
            case .constraint: .managedObjectConstraintMerge
            case .conflict: .managedObjectMerge
            case .mandatory: .validationMissingMandatoryProperty
            case .migration: .migration
            case .missingMapping: .migrationMissingMappingModel
            }
        return make(
            code, error.description,
            [
                NSFilePathErrorKey: error.path,
                NSUnderlyingErrorKey: error.mapping.map(notInferred) ?? error,
            ])
    }
}
