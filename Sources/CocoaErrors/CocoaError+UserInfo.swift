// SPDX-License-Identifier: Apache-2.0

import Foundation

// What Core Data's errors say in their user info, typed.

extension CocoaError {
    /// The object that failed validation.
    public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }
    /// The name of the property that failed validation.
    public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }
    /// The predicate that a value failed.
    public var validationPredicate: NSPredicate? {
        userInfo[NSValidationPredicateErrorKey] as? NSPredicate
    }
    /// The value that failed validation; `nil` for a missing one.
    public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }
    /// The stores concerned.
    public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }
    /// The objects or object IDs concerned.
    public var affectedObjects: [AnyObject]? {
        userInfo[NSAffectedObjectsErrorKey] as? [AnyObject]
    }
    /// The conflicts of a save that were not resolved.
    public var persistentStoreSaveConflicts: [AnyObject]? {
        userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [AnyObject]
    }
    /// The errors behind a multiple-errors error; the error alone otherwise.
    public var detailedErrors: [any Error] {
        guard code == .validationMultipleErrors,
            let details = userInfo[NSDetailedErrorsKey] as? [any Error]
        else { return [self] }
        return details
    }
}
