// SPDX-License-Identifier: Apache-2.0

// The keys of errors' `userInfo`, and the domain of underlying SQLite errors.

/// The list of errors behind a multiple-errors error.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The object that failed validation.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The name of the property that failed validation.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The predicate that a value failed.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The value that failed validation.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The stores concerned.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The objects or object IDs concerned.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The conflicts of a save.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// The domain of SQLite's own errors; no error of a store here has it.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
