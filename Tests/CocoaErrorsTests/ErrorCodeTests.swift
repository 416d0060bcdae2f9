// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Foundation
import Testing

/// Every error code by its three names, against literal numbers.
@Suite struct ErrorCodeTests {
    private struct Names {
        let constant: Int
        let code: CocoaError.Code
        let short: CocoaError.Code
    }

    private static let table: [Int: Names] = [
        1550: Names(
            constant: NSManagedObjectValidationError,
            code: CocoaError.Code.managedObjectValidation,
            short: CocoaError.managedObjectValidation),
        1551: Names(
            constant: NSManagedObjectConstraintValidationError,
            code: CocoaError.Code.managedObjectConstraintValidation,
            short: CocoaError.managedObjectConstraintValidation),
        1560: Names(
            constant: NSValidationMultipleErrorsError,
            code: CocoaError.Code.validationMultipleErrors,
            short: CocoaError.validationMultipleErrors),
        1570: Names(
            constant: NSValidationMissingMandatoryPropertyError,
            code: CocoaError.Code.validationMissingMandatoryProperty,
            short: CocoaError.validationMissingMandatoryProperty),
        1580: Names(
            constant: NSValidationRelationshipLacksMinimumCountError,
            code: CocoaError.Code.validationRelationshipLacksMinimumCount,
            short: CocoaError.validationRelationshipLacksMinimumCount),
        1590: Names(
            constant: NSValidationRelationshipExceedsMaximumCountError,
            code: CocoaError.Code.validationRelationshipExceedsMaximumCount,
            short: CocoaError.validationRelationshipExceedsMaximumCount),
        1600: Names(
            constant: NSValidationRelationshipDeniedDeleteError,
            code: CocoaError.Code.validationRelationshipDeniedDelete,
            short: CocoaError.validationRelationshipDeniedDelete),
        1610: Names(
            constant: NSValidationNumberTooLargeError,
            code: CocoaError.Code.validationNumberTooLarge,
            short: CocoaError.validationNumberTooLarge),
        1620: Names(
            constant: NSValidationNumberTooSmallError,
            code: CocoaError.Code.validationNumberTooSmall,
            short: CocoaError.validationNumberTooSmall),
        1630: Names(
            constant: NSValidationDateTooLateError,
            code: CocoaError.Code.validationDateTooLate,
            short: CocoaError.validationDateTooLate),
        1640: Names(
            constant: NSValidationDateTooSoonError,
            code: CocoaError.Code.validationDateTooSoon,
            short: CocoaError.validationDateTooSoon),
        1650: Names(
            constant: NSValidationInvalidDateError,
            code: CocoaError.Code.validationInvalidDate,
            short: CocoaError.validationInvalidDate),
        1660: Names(
            constant: NSValidationStringTooLongError,
            code: CocoaError.Code.validationStringTooLong,
            short: CocoaError.validationStringTooLong),
        1670: Names(
            constant: NSValidationStringTooShortError,
            code: CocoaError.Code.validationStringTooShort,
            short: CocoaError.validationStringTooShort),
        1680: Names(
            constant: NSValidationStringPatternMatchingError,
            code: CocoaError.Code.validationStringPatternMatching,
            short: CocoaError.validationStringPatternMatching),
        1690: Names(
            constant: NSValidationInvalidURIError,
            code: CocoaError.Code.validationInvalidURI,
            short: CocoaError.validationInvalidURI),
        132000: Names(
            constant: NSManagedObjectContextLockingError,
            code: CocoaError.Code.managedObjectContextLocking,
            short: CocoaError.managedObjectContextLocking),
        132010: Names(
            constant: NSPersistentStoreCoordinatorLockingError,
            code: CocoaError.Code.persistentStoreCoordinatorLocking,
            short: CocoaError.persistentStoreCoordinatorLocking),
        133000: Names(
            constant: NSManagedObjectReferentialIntegrityError,
            code: CocoaError.Code.managedObjectReferentialIntegrity,
            short: CocoaError.managedObjectReferentialIntegrity),
        133010: Names(
            constant: NSManagedObjectExternalRelationshipError,
            code: CocoaError.Code.managedObjectExternalRelationship,
            short: CocoaError.managedObjectExternalRelationship),
        133020: Names(
            constant: NSManagedObjectMergeError,
            code: CocoaError.Code.managedObjectMerge,
            short: CocoaError.managedObjectMerge),
        133021: Names(
            constant: NSManagedObjectConstraintMergeError,
            code: CocoaError.Code.managedObjectConstraintMerge,
            short: CocoaError.managedObjectConstraintMerge),
        134000: Names(
            constant: NSPersistentStoreInvalidTypeError,
            code: CocoaError.Code.persistentStoreInvalidType,
            short: CocoaError.persistentStoreInvalidType),
        134010: Names(
            constant: NSPersistentStoreTypeMismatchError,
            code: CocoaError.Code.persistentStoreTypeMismatch,
            short: CocoaError.persistentStoreTypeMismatch),
        134020: Names(
            constant: NSPersistentStoreIncompatibleSchemaError,
            code: CocoaError.Code.persistentStoreIncompatibleSchema,
            short: CocoaError.persistentStoreIncompatibleSchema),
        134030: Names(
            constant: NSPersistentStoreSaveError,
            code: CocoaError.Code.persistentStoreSave,
            short: CocoaError.persistentStoreSave),
        134040: Names(
            constant: NSPersistentStoreIncompleteSaveError,
            code: CocoaError.Code.persistentStoreIncompleteSave,
            short: CocoaError.persistentStoreIncompleteSave),
        134050: Names(
            constant: NSPersistentStoreSaveConflictsError,
            code: CocoaError.Code.persistentStoreSaveConflicts,
            short: CocoaError.persistentStoreSaveConflicts),
        134060: Names(
            constant: NSCoreDataError,
            code: CocoaError.Code.coreData,
            short: CocoaError.coreData),
        134070: Names(
            constant: NSPersistentStoreOperationError,
            code: CocoaError.Code.persistentStoreOperation,
            short: CocoaError.persistentStoreOperation),
        134080: Names(
            constant: NSPersistentStoreOpenError,
            code: CocoaError.Code.persistentStoreOpen,
            short: CocoaError.persistentStoreOpen),
        134090: Names(
            constant: NSPersistentStoreTimeoutError,
            code: CocoaError.Code.persistentStoreTimeout,
            short: CocoaError.persistentStoreTimeout),
        134091: Names(
            constant: NSPersistentStoreUnsupportedRequestTypeError,
            code: CocoaError.Code.persistentStoreUnsupportedRequestType,
            short: CocoaError.persistentStoreUnsupportedRequestType),
        134100: Names(
            constant: NSPersistentStoreIncompatibleVersionHashError,
            code: CocoaError.Code.persistentStoreIncompatibleVersionHash,
            short: CocoaError.persistentStoreIncompatibleVersionHash),
        134110: Names(
            constant: NSMigrationError,
            code: CocoaError.Code.migration,
            short: CocoaError.migration),
        134111: Names(
            constant: NSMigrationConstraintViolationError,
            code: CocoaError.Code.migrationConstraintViolation,
            short: CocoaError.migrationConstraintViolation),
        134120: Names(
            constant: NSMigrationCancelledError,
            code: CocoaError.Code.migrationCancelled,
            short: CocoaError.migrationCancelled),
        134130: Names(
            constant: NSMigrationMissingSourceModelError,
            code: CocoaError.Code.migrationMissingSourceModel,
            short: CocoaError.migrationMissingSourceModel),
        134140: Names(
            constant: NSMigrationMissingMappingModelError,
            code: CocoaError.Code.migrationMissingMappingModel,
            short: CocoaError.migrationMissingMappingModel),
        134150: Names(
            constant: NSMigrationManagerSourceStoreError,
            code: CocoaError.Code.migrationManagerSourceStore,
            short: CocoaError.migrationManagerSourceStore),
        134160: Names(
            constant: NSMigrationManagerDestinationStoreError,
            code: CocoaError.Code.migrationManagerDestinationStore,
            short: CocoaError.migrationManagerDestinationStore),
        134170: Names(
            constant: NSEntityMigrationPolicyError,
            code: CocoaError.Code.entityMigrationPolicy,
            short: CocoaError.entityMigrationPolicy),
        134180: Names(
            constant: NSSQLiteError,
            code: CocoaError.Code.sqlite,
            short: CocoaError.sqlite),
        134190: Names(
            constant: NSInferredMappingModelError,
            code: CocoaError.Code.inferredMappingModel,
            short: CocoaError.inferredMappingModel),
        134200: Names(
            constant: NSExternalRecordImportError,
            code: CocoaError.Code.externalRecordImport,
            short: CocoaError.externalRecordImport),
        134301: Names(
            constant: NSPersistentHistoryTokenExpiredError,
            code: CocoaError.Code.persistentHistoryTokenExpired,
            short: CocoaError.persistentHistoryTokenExpired),
        134504: Names(
            constant: NSManagedObjectModelReferenceNotFoundError,
            code: CocoaError.Code.managedObjectModelReferenceNotFound,
            short: CocoaError.managedObjectModelReferenceNotFound),
        134505: Names(
            constant: NSStagedMigrationFrameworkVersionMismatchError,
            code: CocoaError.Code.stagedMigrationFrameworkVersionMismatch,
            short: CocoaError.stagedMigrationFrameworkVersionMismatch),
        134506: Names(
            constant: NSStagedMigrationBackwardMigrationError,
            code: CocoaError.Code.stagedMigrationBackwardMigration,
            short: CocoaError.stagedMigrationBackwardMigration),
    ]

    @Test func every_code_has_its_number() {
        #expect(Self.table.count == 49)
        for (number, names) in Self.table {
            #expect(names.constant == number)
            #expect(names.code.rawValue == number)
            #expect(names.short.rawValue == number)
        }
    }

    @Test func user_info_keys() {
        #expect(NSDetailedErrorsKey == "NSDetailedErrors")
        #expect(NSValidationObjectErrorKey == "NSValidationErrorObject")
        #expect(NSValidationKeyErrorKey == "NSValidationErrorKey")
        #expect(NSValidationPredicateErrorKey == "NSValidationErrorPredicate")
        #expect(NSValidationValueErrorKey == "NSValidationErrorValue")
        #expect(NSAffectedStoresErrorKey == "NSAffectedStoresErrorKey")
        #expect(NSAffectedObjectsErrorKey == "NSAffectedObjectsErrorKey")
        #expect(NSPersistentStoreSaveConflictsErrorKey == "conflictList")
        #expect(NSSQLiteErrorDomain == "NSSQLiteErrorDomain")
    }

    @Test func an_error_is_caught_by_its_name() {
        let thrown: any Error = CocoaError(.validationNumberTooSmall)
        do { throw thrown } catch CocoaError.validationNumberTooSmall {
        } catch { Issue.record("\(error)") }
        #expect((thrown as NSError).code == NSValidationNumberTooSmallError)
        #expect((thrown as NSError).domain == NSCocoaErrorDomain)
        #expect(
            (NSError(domain: NSCocoaErrorDomain, code: 1620) as? CocoaError)?.code
                == .validationNumberTooSmall)
    }
}
