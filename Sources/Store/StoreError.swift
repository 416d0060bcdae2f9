// SPDX-License-Identifier: Apache-2.0

import LMDB
import Schema

/// An operation on a store that failed.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Sendable, Hashable {
        /// The file cannot be opened, or LMDB refused an operation.
        case storage
        /// The file is an LMDB file, but no Lode store.
        case notAStore
        /// The file was written by a newer version of the library.
        case newerFormat
        /// The model differs from the one that the store was written with.
        case incompatibleModel
        /// The store was opened for reading only.
        case readOnly
        /// Stored bytes do not have the documented form.
        case damaged
        /// Two objects would hold the same values of a uniqueness constraint.
        case constraint
        /// An object that was to be changed is gone, or another commit has changed it.
        case conflict
        /// An object would be left without a destination that its model asks for.
        case mandatory
        /// The file or its objects cannot be migrated to the model.
        case migration
        /// No mapping from the stored model to the given one can be inferred.
        case missingMapping
    }

    /// The kind of failure.
    public let code: Code
    /// The file.
    public private(set) var path: String
    /// What happened and what to do.
    public let message: String
    /// LMDB's own code, when it was LMDB that failed.
    public let storageCode: Int32?
    /// The objects concerned, if any: for ``Code/constraint`` the new one and the stored one.
    public let objects: [ObjectKey]
    /// The names of the entity and of the constraint, for ``Code/constraint``.
    public let constraint: (entity: String, index: String)?
    /// All collisions of the transaction, for ``Code/constraint``; the first is ``objects``.
    public let collisions: [UniquenessCollision]
    /// The difference of the models that no mapping is inferred for, for ``Code/missingMapping``.
    public let mapping: SchemaMappingError?

    /// Makes an error.
    public init(
        _ code: Code, path: String, _ message: String, storageCode: Int32? = nil,
        objects: [ObjectKey] = [], constraint: (entity: String, index: String)? = nil,
        collisions: [UniquenessCollision] = [], mapping: SchemaMappingError? = nil
    ) {
        self.code = code
        self.path = path
        self.message = message
        self.storageCode = storageCode
        self.objects = objects
        self.constraint = constraint
        self.collisions = collisions
        self.mapping = mapping
    }

    /// The file and the message.
    public var description: String { "\(path): \(message)" }

    /// Whether the file is not one of LMDB's, is of another version of LMDB, or is truncated.
    public var isForeignFile: Bool {
        let codes: [LMDBError.Code] = [.invalid, .versionMismatch, .foreign, .truncated]
        return codes.contains { $0.rawValue == storageCode }
    }

    /// Whether this process has the file open with other options.
    public var isOpenWithOtherOptions: Bool {
        storageCode == LMDBError.Code.incompatibleOptions.rawValue
    }

    /// The same error of another file, as of the one whose place a new file shall take.
    public func naming(_ path: String) -> StoreError {
        var error = self
        error.path = path
        return error
    }

    /// Wraps whatever a storage call threw.
    @usableFromInline
    init(wrapping error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as LMDBError:
            self.init(.storage, path: path, error.message, storageCode: error.code.rawValue)
        default:
            self.init(
                .damaged, path: path,
                "\(error); the file is damaged: restore it from a copy or rebuild it from an export"
            )
        }
    }
}

extension StoreError {
    /// The error of a file that is open in this process with room for the databases of a smaller
    /// model: the room of an environment is settled when it is opened first.
    init(noRoomAt path: String, _ error: LMDBError) {
        self.init(
            .storage, path: path,
            "this process has the file open by a model with fewer entities, relationships and "
                + "indexes, and no room is left for those of the new one; remove the store from "
                + "the other coordinator first, then add it again",
            storageCode: error.code.rawValue)
    }
}
