// SPDX-License-Identifier: Apache-2.0

import Foundation

// Failures of contexts, objects and stores,
// under the names that Swift gives them on Apple's systems.

extension CocoaError.Code {
    /// A context could not be locked.
    public static var managedObjectContextLocking: Self { Self(rawValue: 132000) }
    /// A coordinator could not be locked.
    public static var persistentStoreCoordinatorLocking: Self { Self(rawValue: 132010) }
    /// An object is not in the store.
    public static var managedObjectReferentialIntegrity: Self { Self(rawValue: 133000) }
    /// A relationship crosses stores.
    public static var managedObjectExternalRelationship: Self { Self(rawValue: 133010) }
    /// Another context or process changed an object in between.
    public static var managedObjectMerge: Self { Self(rawValue: 133020) }
    /// A uniqueness constraint conflict was not resolved.
    public static var managedObjectConstraintMerge: Self { Self(rawValue: 133021) }
    /// A store type is unknown.
    public static var persistentStoreInvalidType: Self { Self(rawValue: 134000) }
    /// A file is of another store type.
    public static var persistentStoreTypeMismatch: Self { Self(rawValue: 134010) }
    /// The store cannot hold the model.
    public static var persistentStoreIncompatibleSchema: Self { Self(rawValue: 134020) }
    /// A save failed; also saving to a read-only store.
    public static var persistentStoreSave: Self { Self(rawValue: 134030) }
    /// Some stores of a save failed.
    public static var persistentStoreIncompleteSave: Self { Self(rawValue: 134040) }
    /// A merge conflict of a save was not resolved.
    public static var persistentStoreSaveConflicts: Self { Self(rawValue: 134050) }
    /// A general failure.
    public static var coreData: Self { Self(rawValue: 134060) }
    /// A store operation failed.
    public static var persistentStoreOperation: Self { Self(rawValue: 134070) }
    /// A store could not be opened.
    public static var persistentStoreOpen: Self { Self(rawValue: 134080) }
    /// A store could not be reached in time.
    public static var persistentStoreTimeout: Self { Self(rawValue: 134090) }
    /// A store cannot run a request.
    public static var persistentStoreUnsupportedRequestType: Self { Self(rawValue: 134091) }
    /// The model does not match the store.
    public static var persistentStoreIncompatibleVersionHash: Self { Self(rawValue: 134100) }
}

extension CocoaError {
    /// A context could not be locked.
    public static var managedObjectContextLocking: Code { .managedObjectContextLocking }
    /// A coordinator could not be locked.
    public static var persistentStoreCoordinatorLocking: Code { .persistentStoreCoordinatorLocking }
    /// An object is not in the store.
    public static var managedObjectReferentialIntegrity: Code { .managedObjectReferentialIntegrity }
    /// A relationship crosses stores.
    public static var managedObjectExternalRelationship: Code { .managedObjectExternalRelationship }
    /// Another context or process changed an object in between.
    public static var managedObjectMerge: Code { .managedObjectMerge }
    /// A uniqueness constraint conflict was not resolved.
    public static var managedObjectConstraintMerge: Code { .managedObjectConstraintMerge }
    /// A store type is unknown.
    public static var persistentStoreInvalidType: Code { .persistentStoreInvalidType }
    /// A file is of another store type.
    public static var persistentStoreTypeMismatch: Code { .persistentStoreTypeMismatch }
    /// The store cannot hold the model.
    public static var persistentStoreIncompatibleSchema: Code { .persistentStoreIncompatibleSchema }
    /// A save failed; also saving to a read-only store.
    public static var persistentStoreSave: Code { .persistentStoreSave }
    /// Some stores of a save failed.
    public static var persistentStoreIncompleteSave: Code { .persistentStoreIncompleteSave }
    /// A merge conflict of a save was not resolved.
    public static var persistentStoreSaveConflicts: Code { .persistentStoreSaveConflicts }
    /// A general failure.
    public static var coreData: Code { .coreData }
    /// A store operation failed.
    public static var persistentStoreOperation: Code { .persistentStoreOperation }
    /// A store could not be opened.
    public static var persistentStoreOpen: Code { .persistentStoreOpen }
    /// A store could not be reached in time.
    public static var persistentStoreTimeout: Code { .persistentStoreTimeout }
    /// A store cannot run a request.
    public static var persistentStoreUnsupportedRequestType: Code {
        .persistentStoreUnsupportedRequestType
    }
    /// The model does not match the store.
    public static var persistentStoreIncompatibleVersionHash: Code {
        .persistentStoreIncompatibleVersionHash
    }
}
