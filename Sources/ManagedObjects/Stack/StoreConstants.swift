// SPDX-License-Identifier: Apache-2.0

/// The type of a store kept in a file: here an LMDB file, under Core Data's name.
public let NSSQLiteStoreType = "SQLite"
/// The type of a store that lives as long as its coordinator.
public let NSInMemoryStoreType = "InMemory"
/// The type of Core Data's binary files, which are not read: such a store is refused with 134000.
public let NSBinaryStoreType = "Binary"
/// The type of Lode's own file format; the same as ``NSSQLiteStoreType``.
public let LodeStoreType = "Lode"
/// Metadata: the type of the store.
public let NSStoreTypeKey = "NSStoreType"
/// Metadata: the identity of the store, also the host of its object URIs.
public let NSStoreUUIDKey = "NSStoreUUID"
/// Metadata: a digest of each entity of the model that the store was written with.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// Metadata: the model's ``NSManagedObjectModel/versionIdentifiers``, always empty.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// Option: how long to wait for a store, in seconds; opening never waits.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Option: SQLite's pragmas; accepted, and without a meaning for Lode's files.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Option: let SQLite collect statistics; accepted, and without a meaning for Lode's files.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Option: let SQLite compact its file; accepted, and without a meaning for Lode's files.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Option: how many readers SQLite may have at once; Lode's files have as many as there are.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// Option: whether a file is destroyed that cannot be opened as a store.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// Option: whether the store is opened for reading only.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Option: whether a file of another version of the model is migrated; false unless said otherwise.
public let NSMigratePersistentStoresAutomaticallyOption =
    "NSMigratePersistentStoresAutomaticallyOption"
/// Option: whether a migration is inferred, which is the only kind there is; false unless said
/// otherwise.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Option: whether a migration may take away values, links and objects that the model does not
/// have; false unless said otherwise, and the file is refused with 134110.
public let LodeMigrationMayRemoveOption = "LodeMigrationMayRemoveOption"
/// Option: what a commit promises: `full`, `relaxed` or `none`; full unless said otherwise.
public let LodeDurabilityOption = "LodeDurabilityOption"
/// Option: a limit on the size of the file, in bytes, as a number; no limit unless said otherwise.
///
/// A save that would pass it throws 134070; one that deletes and inserts nothing has a sixteenth
/// more.
public let LodeSizeLimitOption = "LodeSizeLimitOption"
/// Option: whether indexes of the file that the model does not have are dropped; false.
///
/// Otherwise they stay, as with Core Data: models that differ in their indexes only are compatible,
/// and another program may open the file with one that has them. Set it once, after an index was
/// removed from the model for good: it is kept up to date by every save as long as it is there.
public let LodeDropIndexesOption = "LodeDropIndexesOption"
/// Option: what is checked of a file before it is used: `none`, `afterCrash`, `pages` or `records`.
///
/// LMDB trusts the pages of its files: a program that reads a damaged one may crash. Opening a file
/// checks its header and size, and:
/// - `afterCrash`, the default: each page, if the machine went down while a process wrote to the
///   file with the durability `none`. Nothing else damages a file: neither a killed process nor a
///   power failure during writes with syncs.
/// - `pages`: each page, always; for files from elsewhere.
/// - `records`: each page and all that lies in them: the checksums of records, large values,
///   history and metadata, that indexes have what the objects ask for, and that relationships agree
///   with their inverses. Large values are compared again whenever they are read. What it cannot
///   find is in the article about saving.
/// - `none`: nothing more.
///
/// A damaged file is refused with 134070, and any other value of the option with 134080. The time
/// grows with the size of the file.
public let LodeVerifyOption = "LodeVerifyOption"
