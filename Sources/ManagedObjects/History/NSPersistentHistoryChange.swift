// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat

/// What happened to an object, with Core Data's raw values.
public enum NSPersistentHistoryChangeType: Int, Sendable {
    /// It was inserted.
    case insert = 0
    /// Properties of it have other values.
    case update = 1
    /// It was deleted.
    case delete = 2
}

/// What a transaction did to one object.
///
/// Any thread may use one, also after the store was removed.
public final class NSPersistentHistoryChange: NSObject, Sendable {
    let content: HistoryChange
    let record: HistoryRecord
    private let number: UInt64
    /// The object.
    public let changedObjectID: NSManagedObjectID

    init(
        _ content: HistoryChange, _ number: UInt64, _ id: NSManagedObjectID, _ record: HistoryRecord
    ) {
        self.content = content
        self.number = number
        self.record = record
        changedObjectID = id
        super.init()
    }

    /// The number of the change among all changes of its store, from 1.
    public var changeID: Int64 { Int64(clamping: number) }

    /// What happened to the object.
    public var changeType: NSPersistentHistoryChangeType {
        switch content.kind {
        case .insert: .insert
        case .update: .update
        case .delete: .delete
        }
    }

    /// Of an update, the properties that have other values: attributes and relationships.
    public var updatedProperties: Set<NSPropertyDescription>? {
        content.kind == .update ? record.source.properties(content) : nil
    }

    /// Of a deletion, the values by name of the attributes whose
    /// ``NSAttributeDescription/preservesValueInHistoryOnDeletion`` is set; `nil` if there are
    /// none.
    public var tombstone: [AnyHashable: Any]? {
        content.kind == .delete && !content.tombstone.isEmpty
            ? record.source.tombstone(content) : nil
    }

    /// The transaction.
    public var transaction: NSPersistentHistoryTransaction? {
        NSPersistentHistoryTransaction(record, includesChanges: true)
    }

    /// Whether both are the same change of the same store.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryChange else { return false }
        return other.number == number && other.changedObjectID == changedObjectID
    }

    /// The hash of its number.
    public override var hash: Int { number.hashValue }

    /// The number, the object and what happened to it.
    public override var description: String {
        "<NSPersistentHistoryChange \(number): \(changeType) of \(changedObjectID)>"
    }
}
