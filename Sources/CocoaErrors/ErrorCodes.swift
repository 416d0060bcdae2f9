// SPDX-License-Identifier: Apache-2.0

// The codes as the integers that code compares `NSError.code` with.

/// A generic validation failure.
public let NSManagedObjectValidationError = 1550
/// A uniqueness constraint is violated.
public let NSManagedObjectConstraintValidationError = 1551
/// Several validation failures, listed under `NSDetailedErrorsKey`.
public let NSValidationMultipleErrorsError = 1560
/// A property that is not optional has no value.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A relationship has too few destinations.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A relationship has too many destinations.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// A deny rule blocks a deletion.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// A number is above its maximum.
public let NSValidationNumberTooLargeError = 1610
/// A number is below its minimum.
public let NSValidationNumberTooSmallError = 1620
/// A date is after its latest.
public let NSValidationDateTooLateError = 1630
/// A date is before its earliest.
public let NSValidationDateTooSoonError = 1640
/// A date is malformed.
public let NSValidationInvalidDateError = 1650
/// A string is too long.
public let NSValidationStringTooLongError = 1660
/// A string is too short.
public let NSValidationStringTooShortError = 1670
/// A string does not match its pattern.
public let NSValidationStringPatternMatchingError = 1680
/// A value cannot be written as a URI.
public let NSValidationInvalidURIError = 1690
/// A context could not be locked.
public let NSManagedObjectContextLockingError = 132000
/// A coordinator could not be locked.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// An object is not in the store.
public let NSManagedObjectReferentialIntegrityError = 133000
/// A relationship crosses stores.
public let NSManagedObjectExternalRelationshipError = 133010
/// Another context or process changed an object in between.
public let NSManagedObjectMergeError = 133020
/// A uniqueness constraint conflict was not resolved.
public let NSManagedObjectConstraintMergeError = 133021
/// A store type is unknown.
public let NSPersistentStoreInvalidTypeError = 134000
/// A file is of another store type.
public let NSPersistentStoreTypeMismatchError = 134010
/// The store cannot hold the model.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// A save failed; also saving to a read-only store.
public let NSPersistentStoreSaveError = 134030
/// Some stores of a save failed.
public let NSPersistentStoreIncompleteSaveError = 134040
/// A merge conflict of a save was not resolved.
public let NSPersistentStoreSaveConflictsError = 134050
/// A general failure.
public let NSCoreDataError = 134060
/// A store operation failed.
public let NSPersistentStoreOperationError = 134070
/// A store could not be opened.
public let NSPersistentStoreOpenError = 134080
/// A store could not be reached in time.
public let NSPersistentStoreTimeoutError = 134090
/// A store cannot run a request.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// The model does not match the store.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// A migration failed.
public let NSMigrationError = 134110
/// A migration broke a uniqueness constraint.
public let NSMigrationConstraintViolationError = 134111
/// A migration was cancelled.
public let NSMigrationCancelledError = 134120
/// No model matches the store that is to be migrated.
public let NSMigrationMissingSourceModelError = 134130
/// No mapping leads from the store's model to the current one.
public let NSMigrationMissingMappingModelError = 134140
/// The source store of a migration failed.
public let NSMigrationManagerSourceStoreError = 134150
/// The destination store of a migration failed.
public let NSMigrationManagerDestinationStoreError = 134160
/// A migration policy failed.
public let NSEntityMigrationPolicyError = 134170
/// SQLite failed; never thrown here, as stores are LMDB files.
public let NSSQLiteError = 134180
/// A mapping cannot be inferred.
public let NSInferredMappingModelError = 134190
/// External records could not be imported; never thrown here.
public let NSExternalRecordImportError = 134200
/// A history token points before purged history.
public let NSPersistentHistoryTokenExpiredError = 134301
/// A model reference names no existing model.
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// A staged migration needs another framework version.
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// The stages of a migration are in the wrong order.
public let NSStagedMigrationBackwardMigrationError = 134506
