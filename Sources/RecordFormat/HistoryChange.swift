// SPDX-License-Identifier: Apache-2.0

import Schema

/// What a transaction did to one object.
public struct HistoryChange: Sendable, Equatable {
    /// What happened to an object, with Core Data's raw values.
    public enum Kind: Int, Sendable {
        /// It is new.
        case insert = 0
        /// Properties have other values.
        case update = 1
        /// It is gone.
        case delete = 2
    }

    /// A value that a deleted object had.
    public struct KeptValue: Sendable, Equatable {
        /// The attribute.
        public var property: PropertyNumber
        /// The value.
        public var value: Value

        /// Makes a kept value.
        public init(property: PropertyNumber, value: Value) {
            self.property = property
            self.value = value
        }
    }

    /// The object.
    public var object: ObjectKey
    /// What happened to it.
    public var kind: Kind
    /// Of an update, the properties with other values, in the order of their positions.
    public var properties: [PropertyNumber] = []
    /// Of a deletion, the values that the model asks to keep.
    public var tombstone: [KeptValue] = []

    /// Makes a change.
    public init(object: ObjectKey, kind: Kind) {
        self.object = object
        self.kind = kind
    }
}

/// How a group of changes begins in a change set; `FileFormat.md` describes them.
public enum HistoryGroup: UInt8 {
    /// No group follows.
    case end = 0
    /// Runs of rows of new objects.
    case inserts = 1
    /// Properties, then runs of rows of objects in which they changed.
    case updates = 2
    /// Runs of rows of deleted objects.
    case deletes = 3
    /// Rows of deleted objects, each with values.
    case tombstones = 4
}
