// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Foundation
import Testing

/// The error names that end in `Error` lead to the same codes as those that replaced them.
@Suite struct FormerErrorNameTests {
    @Test func they_have_the_codes_of_their_successors() {
        // By way of a protocol: a use of the names themselves would warn.
        let former: any FormerErrorNames = FormerNames()
        #expect(former.codes.map(\.rawValue) == FormerNames.numbers)
        #expect(former.shortCodes.map(\.rawValue) == FormerNames.numbers)
    }
}

private protocol FormerErrorNames {
    var codes: [CocoaError.Code] { get }
    var shortCodes: [CocoaError.Code] { get }
}

private struct FormerNames: FormerErrorNames {
    static let numbers = [
        1550, 1560, 1570, 1580, 1590, 1600, 1610, 1620, 1630, 1640, 1650, 1660, 1670, 1680, 132000,
        132010, 133000, 133010, 133020, 133021, 134000, 134010, 134020, 134030, 134040, 134050,
        134060, 134070, 134080, 134090, 134091, 134100, 134110, 134120, 134130, 134140, 134150,
        134160, 134170, 134180, 134190, 134200,
    ]

    @available(*, deprecated) var codes: [CocoaError.Code] {
        [
            .managedObjectValidationError,
            .validationMultipleErrorsError,
            .validationMissingMandatoryPropertyError,
            .validationRelationshipLacksMinimumCountError,
            .validationRelationshipExceedsMaximumCountError,
            .validationRelationshipDeniedDeleteError,
            .validationNumberTooLargeError,
            .validationNumberTooSmallError,
            .validationDateTooLateError,
            .validationDateTooSoonError,
            .validationInvalidDateError,
            .validationStringTooLongError,
            .validationStringTooShortError,
            .validationStringPatternMatchingError,
            .managedObjectContextLockingError,
            .persistentStoreCoordinatorLockingError,
            .managedObjectReferentialIntegrityError,
            .managedObjectExternalRelationshipError,
            .managedObjectMergeError,
            .managedObjectConstraintMergeError,
            .persistentStoreInvalidTypeError,
            .persistentStoreTypeMismatchError,
            .persistentStoreIncompatibleSchemaError,
            .persistentStoreSaveError,
            .persistentStoreIncompleteSaveError,
            .persistentStoreSaveConflictsError,
            .coreDataError,
            .persistentStoreOperationError,
            .persistentStoreOpenError,
            .persistentStoreTimeoutError,
            .persistentStoreUnsupportedRequestTypeError,
            .persistentStoreIncompatibleVersionHashError,
            .migrationError,
            .migrationCancelledError,
            .migrationMissingSourceModelError,
            .migrationMissingMappingModelError,
            .migrationManagerSourceStoreError,
            .migrationManagerDestinationStoreError,
            .entityMigrationPolicyError,
            .sqliteError,
            .inferredMappingModelError,
            .externalRecordImportError,
        ]
    }

    @available(*, deprecated) var shortCodes: [CocoaError.Code] {
        [
            CocoaError.managedObjectValidationError,
            CocoaError.validationMultipleErrorsError,
            CocoaError.validationMissingMandatoryPropertyError,
            CocoaError.validationRelationshipLacksMinimumCountError,
            CocoaError.validationRelationshipExceedsMaximumCountError,
            CocoaError.validationRelationshipDeniedDeleteError,
            CocoaError.validationNumberTooLargeError,
            CocoaError.validationNumberTooSmallError,
            CocoaError.validationDateTooLateError,
            CocoaError.validationDateTooSoonError,
            CocoaError.validationInvalidDateError,
            CocoaError.validationStringTooLongError,
            CocoaError.validationStringTooShortError,
            CocoaError.validationStringPatternMatchingError,
            CocoaError.managedObjectContextLockingError,
            CocoaError.persistentStoreCoordinatorLockingError,
            CocoaError.managedObjectReferentialIntegrityError,
            CocoaError.managedObjectExternalRelationshipError,
            CocoaError.managedObjectMergeError,
            CocoaError.managedObjectConstraintMergeError,
            CocoaError.persistentStoreInvalidTypeError,
            CocoaError.persistentStoreTypeMismatchError,
            CocoaError.persistentStoreIncompatibleSchemaError,
            CocoaError.persistentStoreSaveError,
            CocoaError.persistentStoreIncompleteSaveError,
            CocoaError.persistentStoreSaveConflictsError,
            CocoaError.coreDataError,
            CocoaError.persistentStoreOperationError,
            CocoaError.persistentStoreOpenError,
            CocoaError.persistentStoreTimeoutError,
            CocoaError.persistentStoreUnsupportedRequestTypeError,
            CocoaError.persistentStoreIncompatibleVersionHashError,
            CocoaError.migrationError,
            CocoaError.migrationCancelledError,
            CocoaError.migrationMissingSourceModelError,
            CocoaError.migrationMissingMappingModelError,
            CocoaError.migrationManagerSourceStoreError,
            CocoaError.migrationManagerDestinationStoreError,
            CocoaError.entityMigrationPolicyError,
            CocoaError.sqliteError,
            CocoaError.inferredMappingModelError,
            CocoaError.externalRecordImportError,
        ]
    }
}
