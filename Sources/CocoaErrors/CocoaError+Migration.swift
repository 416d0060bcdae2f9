// SPDX-License-Identifier: Apache-2.0

import Foundation

// Failures of migration, history and model references,
// under the names that Swift gives them on Apple's systems.

extension CocoaError.Code {
    /// A migration failed.
    public static var migration: Self { Self(rawValue: 134110) }
    /// A migration broke a uniqueness constraint.
    public static var migrationConstraintViolation: Self { Self(rawValue: 134111) }
    /// A migration was cancelled.
    public static var migrationCancelled: Self { Self(rawValue: 134120) }
    /// No model matches the store that is to be migrated.
    public static var migrationMissingSourceModel: Self { Self(rawValue: 134130) }
    /// No mapping leads from the store's model to the current one.
    public static var migrationMissingMappingModel: Self { Self(rawValue: 134140) }
    /// The source store of a migration failed.
    public static var migrationManagerSourceStore: Self { Self(rawValue: 134150) }
    /// The destination store of a migration failed.
    public static var migrationManagerDestinationStore: Self { Self(rawValue: 134160) }
    /// A migration policy failed.
    public static var entityMigrationPolicy: Self { Self(rawValue: 134170) }
    /// SQLite failed; never thrown here, as stores are LMDB files.
    public static var sqlite: Self { Self(rawValue: 134180) }
    /// A mapping cannot be inferred.
    public static var inferredMappingModel: Self { Self(rawValue: 134190) }
    /// External records could not be imported; never thrown here.
    public static var externalRecordImport: Self { Self(rawValue: 134200) }
    /// A history token points before purged history.
    public static var persistentHistoryTokenExpired: Self { Self(rawValue: 134301) }
    /// A model reference names no existing model.
    public static var managedObjectModelReferenceNotFound: Self { Self(rawValue: 134504) }
    /// A staged migration needs another framework version.
    public static var stagedMigrationFrameworkVersionMismatch: Self { Self(rawValue: 134505) }
    /// The stages of a migration are in the wrong order.
    public static var stagedMigrationBackwardMigration: Self { Self(rawValue: 134506) }
}

extension CocoaError {
    /// A migration failed.
    public static var migration: Code { .migration }
    /// A migration broke a uniqueness constraint.
    public static var migrationConstraintViolation: Code { .migrationConstraintViolation }
    /// A migration was cancelled.
    public static var migrationCancelled: Code { .migrationCancelled }
    /// No model matches the store that is to be migrated.
    public static var migrationMissingSourceModel: Code { .migrationMissingSourceModel }
    /// No mapping leads from the store's model to the current one.
    public static var migrationMissingMappingModel: Code { .migrationMissingMappingModel }
    /// The source store of a migration failed.
    public static var migrationManagerSourceStore: Code { .migrationManagerSourceStore }
    /// The destination store of a migration failed.
    public static var migrationManagerDestinationStore: Code { .migrationManagerDestinationStore }
    /// A migration policy failed.
    public static var entityMigrationPolicy: Code { .entityMigrationPolicy }
    /// SQLite failed; never thrown here, as stores are LMDB files.
    public static var sqlite: Code { .sqlite }
    /// A mapping cannot be inferred.
    public static var inferredMappingModel: Code { .inferredMappingModel }
    /// External records could not be imported; never thrown here.
    public static var externalRecordImport: Code { .externalRecordImport }
    /// A history token points before purged history.
    public static var persistentHistoryTokenExpired: Code { .persistentHistoryTokenExpired }
    /// A model reference names no existing model.
    public static var managedObjectModelReferenceNotFound: Code {
        .managedObjectModelReferenceNotFound
    }
    /// A staged migration needs another framework version.
    public static var stagedMigrationFrameworkVersionMismatch: Code {
        .stagedMigrationFrameworkVersionMismatch
    }
    /// The stages of a migration are in the wrong order.
    public static var stagedMigrationBackwardMigration: Code { .stagedMigrationBackwardMigration }
}
