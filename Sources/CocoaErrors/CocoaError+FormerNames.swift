// SPDX-License-Identifier: Apache-2.0

import Foundation

// The names that ended in `Error`, which Swift on Apple's systems still knows.

extension CocoaError {
    /// Code 1550; see ``managedObjectValidation``.
    @available(*, deprecated, renamed: "managedObjectValidation")
    public static var managedObjectValidationError: Code { .managedObjectValidation }
    /// Code 1560; see ``validationMultipleErrors``.
    @available(*, deprecated, renamed: "validationMultipleErrors")
    public static var validationMultipleErrorsError: Code { .validationMultipleErrors }
    /// Code 1570; see ``validationMissingMandatoryProperty``.
    @available(*, deprecated, renamed: "validationMissingMandatoryProperty")
    public static var validationMissingMandatoryPropertyError: Code {
        .validationMissingMandatoryProperty
    }
    /// Code 1580; see ``validationRelationshipLacksMinimumCount``.
    @available(*, deprecated, renamed: "validationRelationshipLacksMinimumCount")
    public static var validationRelationshipLacksMinimumCountError: Code {
        .validationRelationshipLacksMinimumCount
    }
    /// Code 1590; see ``validationRelationshipExceedsMaximumCount``.
    @available(*, deprecated, renamed: "validationRelationshipExceedsMaximumCount")
    public static var validationRelationshipExceedsMaximumCountError: Code {
        .validationRelationshipExceedsMaximumCount
    }
    /// Code 1600; see ``validationRelationshipDeniedDelete``.
    @available(*, deprecated, renamed: "validationRelationshipDeniedDelete")
    public static var validationRelationshipDeniedDeleteError: Code {
        .validationRelationshipDeniedDelete
    }
    /// Code 1610; see ``validationNumberTooLarge``.
    @available(*, deprecated, renamed: "validationNumberTooLarge")
    public static var validationNumberTooLargeError: Code { .validationNumberTooLarge }
    /// Code 1620; see ``validationNumberTooSmall``.
    @available(*, deprecated, renamed: "validationNumberTooSmall")
    public static var validationNumberTooSmallError: Code { .validationNumberTooSmall }
    /// Code 1630; see ``validationDateTooLate``.
    @available(*, deprecated, renamed: "validationDateTooLate")
    public static var validationDateTooLateError: Code { .validationDateTooLate }
    /// Code 1640; see ``validationDateTooSoon``.
    @available(*, deprecated, renamed: "validationDateTooSoon")
    public static var validationDateTooSoonError: Code { .validationDateTooSoon }
    /// Code 1650; see ``validationInvalidDate``.
    @available(*, deprecated, renamed: "validationInvalidDate")
    public static var validationInvalidDateError: Code { .validationInvalidDate }
    /// Code 1660; see ``validationStringTooLong``.
    @available(*, deprecated, renamed: "validationStringTooLong")
    public static var validationStringTooLongError: Code { .validationStringTooLong }
    /// Code 1670; see ``validationStringTooShort``.
    @available(*, deprecated, renamed: "validationStringTooShort")
    public static var validationStringTooShortError: Code { .validationStringTooShort }
    /// Code 1680; see ``validationStringPatternMatching``.
    @available(*, deprecated, renamed: "validationStringPatternMatching")
    public static var validationStringPatternMatchingError: Code {
        .validationStringPatternMatching
    }
    /// Code 132000; see ``managedObjectContextLocking``.
    @available(*, deprecated, renamed: "managedObjectContextLocking")
    public static var managedObjectContextLockingError: Code { .managedObjectContextLocking }
    /// Code 132010; see ``persistentStoreCoordinatorLocking``.
    @available(*, deprecated, renamed: "persistentStoreCoordinatorLocking")
    public static var persistentStoreCoordinatorLockingError: Code {
        .persistentStoreCoordinatorLocking
    }
    /// Code 133000; see ``managedObjectReferentialIntegrity``.
    @available(*, deprecated, renamed: "managedObjectReferentialIntegrity")
    public static var managedObjectReferentialIntegrityError: Code {
        .managedObjectReferentialIntegrity
    }
    /// Code 133010; see ``managedObjectExternalRelationship``.
    @available(*, deprecated, renamed: "managedObjectExternalRelationship")
    public static var managedObjectExternalRelationshipError: Code {
        .managedObjectExternalRelationship
    }
    /// Code 133020; see ``managedObjectMerge``.
    @available(*, deprecated, renamed: "managedObjectMerge")
    public static var managedObjectMergeError: Code { .managedObjectMerge }
    /// Code 133021; see ``managedObjectConstraintMerge``.
    @available(*, deprecated, renamed: "managedObjectConstraintMerge")
    public static var managedObjectConstraintMergeError: Code { .managedObjectConstraintMerge }
    /// Code 134000; see ``persistentStoreInvalidType``.
    @available(*, deprecated, renamed: "persistentStoreInvalidType")
    public static var persistentStoreInvalidTypeError: Code { .persistentStoreInvalidType }
    /// Code 134010; see ``persistentStoreTypeMismatch``.
    @available(*, deprecated, renamed: "persistentStoreTypeMismatch")
    public static var persistentStoreTypeMismatchError: Code { .persistentStoreTypeMismatch }
    /// Code 134020; see ``persistentStoreIncompatibleSchema``.
    @available(*, deprecated, renamed: "persistentStoreIncompatibleSchema")
    public static var persistentStoreIncompatibleSchemaError: Code {
        .persistentStoreIncompatibleSchema
    }
    /// Code 134030; see ``persistentStoreSave``.
    @available(*, deprecated, renamed: "persistentStoreSave")
    public static var persistentStoreSaveError: Code { .persistentStoreSave }
    /// Code 134040; see ``persistentStoreIncompleteSave``.
    @available(*, deprecated, renamed: "persistentStoreIncompleteSave")
    public static var persistentStoreIncompleteSaveError: Code { .persistentStoreIncompleteSave }
    /// Code 134050; see ``persistentStoreSaveConflicts``.
    @available(*, deprecated, renamed: "persistentStoreSaveConflicts")
    public static var persistentStoreSaveConflictsError: Code { .persistentStoreSaveConflicts }
    /// Code 134060; see ``coreData``.
    @available(*, deprecated, renamed: "coreData")
    public static var coreDataError: Code { .coreData }
    /// Code 134070; see ``persistentStoreOperation``.
    @available(*, deprecated, renamed: "persistentStoreOperation")
    public static var persistentStoreOperationError: Code { .persistentStoreOperation }
    /// Code 134080; see ``persistentStoreOpen``.
    @available(*, deprecated, renamed: "persistentStoreOpen")
    public static var persistentStoreOpenError: Code { .persistentStoreOpen }
    /// Code 134090; see ``persistentStoreTimeout``.
    @available(*, deprecated, renamed: "persistentStoreTimeout")
    public static var persistentStoreTimeoutError: Code { .persistentStoreTimeout }
    /// Code 134091; see ``persistentStoreUnsupportedRequestType``.
    @available(*, deprecated, renamed: "persistentStoreUnsupportedRequestType")
    public static var persistentStoreUnsupportedRequestTypeError: Code {
        .persistentStoreUnsupportedRequestType
    }
    /// Code 134100; see ``persistentStoreIncompatibleVersionHash``.
    @available(*, deprecated, renamed: "persistentStoreIncompatibleVersionHash")
    public static var persistentStoreIncompatibleVersionHashError: Code {
        .persistentStoreIncompatibleVersionHash
    }
    /// Code 134110; see ``migration``.
    @available(*, deprecated, renamed: "migration")
    public static var migrationError: Code { .migration }
    /// Code 134120; see ``migrationCancelled``.
    @available(*, deprecated, renamed: "migrationCancelled")
    public static var migrationCancelledError: Code { .migrationCancelled }
    /// Code 134130; see ``migrationMissingSourceModel``.
    @available(*, deprecated, renamed: "migrationMissingSourceModel")
    public static var migrationMissingSourceModelError: Code { .migrationMissingSourceModel }
    /// Code 134140; see ``migrationMissingMappingModel``.
    @available(*, deprecated, renamed: "migrationMissingMappingModel")
    public static var migrationMissingMappingModelError: Code { .migrationMissingMappingModel }
    /// Code 134150; see ``migrationManagerSourceStore``.
    @available(*, deprecated, renamed: "migrationManagerSourceStore")
    public static var migrationManagerSourceStoreError: Code { .migrationManagerSourceStore }
    /// Code 134160; see ``migrationManagerDestinationStore``.
    @available(*, deprecated, renamed: "migrationManagerDestinationStore")
    public static var migrationManagerDestinationStoreError: Code {
        .migrationManagerDestinationStore
    }
    /// Code 134170; see ``entityMigrationPolicy``.
    @available(*, deprecated, renamed: "entityMigrationPolicy")
    public static var entityMigrationPolicyError: Code { .entityMigrationPolicy }
    /// Code 134180; see ``sqlite``.
    @available(*, deprecated, renamed: "sqlite")
    public static var sqliteError: Code { .sqlite }
    /// Code 134190; see ``inferredMappingModel``.
    @available(*, deprecated, renamed: "inferredMappingModel")
    public static var inferredMappingModelError: Code { .inferredMappingModel }
    /// Code 134200; see ``externalRecordImport``.
    @available(*, deprecated, renamed: "externalRecordImport")
    public static var externalRecordImportError: Code { .externalRecordImport }
}
