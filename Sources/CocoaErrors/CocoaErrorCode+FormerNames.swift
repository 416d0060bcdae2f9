// SPDX-License-Identifier: Apache-2.0

import Foundation

// The names that ended in `Error`, which Swift on Apple's systems still knows.

extension CocoaError.Code {
    /// Code 1550; see ``managedObjectValidation``.
    @available(*, deprecated, renamed: "managedObjectValidation")
    public static var managedObjectValidationError: Self { .managedObjectValidation }
    /// Code 1560; see ``validationMultipleErrors``.
    @available(*, deprecated, renamed: "validationMultipleErrors")
    public static var validationMultipleErrorsError: Self { .validationMultipleErrors }
    /// Code 1570; see ``validationMissingMandatoryProperty``.
    @available(*, deprecated, renamed: "validationMissingMandatoryProperty")
    public static var validationMissingMandatoryPropertyError: Self {
        .validationMissingMandatoryProperty
    }
    /// Code 1580; see ``validationRelationshipLacksMinimumCount``.
    @available(*, deprecated, renamed: "validationRelationshipLacksMinimumCount")
    public static var validationRelationshipLacksMinimumCountError: Self {
        .validationRelationshipLacksMinimumCount
    }
    /// Code 1590; see ``validationRelationshipExceedsMaximumCount``.
    @available(*, deprecated, renamed: "validationRelationshipExceedsMaximumCount")
    public static var validationRelationshipExceedsMaximumCountError: Self {
        .validationRelationshipExceedsMaximumCount
    }
    /// Code 1600; see ``validationRelationshipDeniedDelete``.
    @available(*, deprecated, renamed: "validationRelationshipDeniedDelete")
    public static var validationRelationshipDeniedDeleteError: Self {
        .validationRelationshipDeniedDelete
    }
    /// Code 1610; see ``validationNumberTooLarge``.
    @available(*, deprecated, renamed: "validationNumberTooLarge")
    public static var validationNumberTooLargeError: Self { .validationNumberTooLarge }
    /// Code 1620; see ``validationNumberTooSmall``.
    @available(*, deprecated, renamed: "validationNumberTooSmall")
    public static var validationNumberTooSmallError: Self { .validationNumberTooSmall }
    /// Code 1630; see ``validationDateTooLate``.
    @available(*, deprecated, renamed: "validationDateTooLate")
    public static var validationDateTooLateError: Self { .validationDateTooLate }
    /// Code 1640; see ``validationDateTooSoon``.
    @available(*, deprecated, renamed: "validationDateTooSoon")
    public static var validationDateTooSoonError: Self { .validationDateTooSoon }
    /// Code 1650; see ``validationInvalidDate``.
    @available(*, deprecated, renamed: "validationInvalidDate")
    public static var validationInvalidDateError: Self { .validationInvalidDate }
    /// Code 1660; see ``validationStringTooLong``.
    @available(*, deprecated, renamed: "validationStringTooLong")
    public static var validationStringTooLongError: Self { .validationStringTooLong }
    /// Code 1670; see ``validationStringTooShort``.
    @available(*, deprecated, renamed: "validationStringTooShort")
    public static var validationStringTooShortError: Self { .validationStringTooShort }
    /// Code 1680; see ``validationStringPatternMatching``.
    @available(*, deprecated, renamed: "validationStringPatternMatching")
    public static var validationStringPatternMatchingError: Self {
        .validationStringPatternMatching
    }
    /// Code 132000; see ``managedObjectContextLocking``.
    @available(*, deprecated, renamed: "managedObjectContextLocking")
    public static var managedObjectContextLockingError: Self { .managedObjectContextLocking }
    /// Code 132010; see ``persistentStoreCoordinatorLocking``.
    @available(*, deprecated, renamed: "persistentStoreCoordinatorLocking")
    public static var persistentStoreCoordinatorLockingError: Self {
        .persistentStoreCoordinatorLocking
    }
    /// Code 133000; see ``managedObjectReferentialIntegrity``.
    @available(*, deprecated, renamed: "managedObjectReferentialIntegrity")
    public static var managedObjectReferentialIntegrityError: Self {
        .managedObjectReferentialIntegrity
    }
    /// Code 133010; see ``managedObjectExternalRelationship``.
    @available(*, deprecated, renamed: "managedObjectExternalRelationship")
    public static var managedObjectExternalRelationshipError: Self {
        .managedObjectExternalRelationship
    }
    /// Code 133020; see ``managedObjectMerge``.
    @available(*, deprecated, renamed: "managedObjectMerge")
    public static var managedObjectMergeError: Self { .managedObjectMerge }
    /// Code 133021; see ``managedObjectConstraintMerge``.
    @available(*, deprecated, renamed: "managedObjectConstraintMerge")
    public static var managedObjectConstraintMergeError: Self { .managedObjectConstraintMerge }
    /// Code 134000; see ``persistentStoreInvalidType``.
    @available(*, deprecated, renamed: "persistentStoreInvalidType")
    public static var persistentStoreInvalidTypeError: Self { .persistentStoreInvalidType }
    /// Code 134010; see ``persistentStoreTypeMismatch``.
    @available(*, deprecated, renamed: "persistentStoreTypeMismatch")
    public static var persistentStoreTypeMismatchError: Self { .persistentStoreTypeMismatch }
    /// Code 134020; see ``persistentStoreIncompatibleSchema``.
    @available(*, deprecated, renamed: "persistentStoreIncompatibleSchema")
    public static var persistentStoreIncompatibleSchemaError: Self {
        .persistentStoreIncompatibleSchema
    }
    /// Code 134030; see ``persistentStoreSave``.
    @available(*, deprecated, renamed: "persistentStoreSave")
    public static var persistentStoreSaveError: Self { .persistentStoreSave }
    /// Code 134040; see ``persistentStoreIncompleteSave``.
    @available(*, deprecated, renamed: "persistentStoreIncompleteSave")
    public static var persistentStoreIncompleteSaveError: Self { .persistentStoreIncompleteSave }
    /// Code 134050; see ``persistentStoreSaveConflicts``.
    @available(*, deprecated, renamed: "persistentStoreSaveConflicts")
    public static var persistentStoreSaveConflictsError: Self { .persistentStoreSaveConflicts }
    /// Code 134060; see ``coreData``.
    @available(*, deprecated, renamed: "coreData")
    public static var coreDataError: Self { .coreData }
    /// Code 134070; see ``persistentStoreOperation``.
    @available(*, deprecated, renamed: "persistentStoreOperation")
    public static var persistentStoreOperationError: Self { .persistentStoreOperation }
    /// Code 134080; see ``persistentStoreOpen``.
    @available(*, deprecated, renamed: "persistentStoreOpen")
    public static var persistentStoreOpenError: Self { .persistentStoreOpen }
    /// Code 134090; see ``persistentStoreTimeout``.
    @available(*, deprecated, renamed: "persistentStoreTimeout")
    public static var persistentStoreTimeoutError: Self { .persistentStoreTimeout }
    /// Code 134091; see ``persistentStoreUnsupportedRequestType``.
    @available(*, deprecated, renamed: "persistentStoreUnsupportedRequestType")
    public static var persistentStoreUnsupportedRequestTypeError: Self {
        .persistentStoreUnsupportedRequestType
    }
    /// Code 134100; see ``persistentStoreIncompatibleVersionHash``.
    @available(*, deprecated, renamed: "persistentStoreIncompatibleVersionHash")
    public static var persistentStoreIncompatibleVersionHashError: Self {
        .persistentStoreIncompatibleVersionHash
    }
    /// Code 134110; see ``migration``.
    @available(*, deprecated, renamed: "migration")
    public static var migrationError: Self { .migration }
    /// Code 134120; see ``migrationCancelled``.
    @available(*, deprecated, renamed: "migrationCancelled")
    public static var migrationCancelledError: Self { .migrationCancelled }
    /// Code 134130; see ``migrationMissingSourceModel``.
    @available(*, deprecated, renamed: "migrationMissingSourceModel")
    public static var migrationMissingSourceModelError: Self { .migrationMissingSourceModel }
    /// Code 134140; see ``migrationMissingMappingModel``.
    @available(*, deprecated, renamed: "migrationMissingMappingModel")
    public static var migrationMissingMappingModelError: Self { .migrationMissingMappingModel }
    /// Code 134150; see ``migrationManagerSourceStore``.
    @available(*, deprecated, renamed: "migrationManagerSourceStore")
    public static var migrationManagerSourceStoreError: Self { .migrationManagerSourceStore }
    /// Code 134160; see ``migrationManagerDestinationStore``.
    @available(*, deprecated, renamed: "migrationManagerDestinationStore")
    public static var migrationManagerDestinationStoreError: Self {
        .migrationManagerDestinationStore
    }
    /// Code 134170; see ``entityMigrationPolicy``.
    @available(*, deprecated, renamed: "entityMigrationPolicy")
    public static var entityMigrationPolicyError: Self { .entityMigrationPolicy }
    /// Code 134180; see ``sqlite``.
    @available(*, deprecated, renamed: "sqlite")
    public static var sqliteError: Self { .sqlite }
    /// Code 134190; see ``inferredMappingModel``.
    @available(*, deprecated, renamed: "inferredMappingModel")
    public static var inferredMappingModelError: Self { .inferredMappingModel }
    /// Code 134200; see ``externalRecordImport``.
    @available(*, deprecated, renamed: "externalRecordImport")
    public static var externalRecordImportError: Self { .externalRecordImport }
}
