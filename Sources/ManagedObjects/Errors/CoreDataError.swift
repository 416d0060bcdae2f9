// SPDX-License-Identifier: Apache-2.0

import Foundation
import Store

/// Makes errors with Core Data's codes, in Cocoa's domain.
enum CoreDataError {
    /// An error of a code, with what happened and what to do.
    static func make(
        _ code: CocoaError.Code, _ message: String, _ userInfo: [String: Any] = [:]
    ) -> CocoaError {
        var info = userInfo
        info[NSLocalizedDescriptionKey] = message
        // What `print(error)` shows on Linux: without a reason, "(null)".
        info[NSLocalizedFailureReasonErrorKey] = message
        return CocoaError(code, userInfo: info)
    }

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
            }
        return make(
            code, error.description,
            [NSFilePathErrorKey: error.path, NSUnderlyingErrorKey: error])
    }
}

extension CocoaError {
    /// The message of an error with a description, else Foundation's own.
    public var message: String {
        userInfo[NSLocalizedDescriptionKey] as? String ?? localizedDescription
    }
}
