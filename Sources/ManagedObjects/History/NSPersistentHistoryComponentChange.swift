// SPDX-License-Identifier: Apache-2.0

import RecordFormat

/// What a transaction did to one component of a game object, one link or one resource.
///
/// Core Data has no such type: value components, tags and codable components of a world lie in
/// columns, and not in records of managed objects. So they are not among a transaction's
/// ``NSPersistentHistoryTransaction/changes``, but in
/// ``NSPersistentHistoryTransaction/componentChanges``:
///
/// ```swift
/// for change in transaction.componentChanges ?? [] where change.componentName == "Position" {
///     print(change.changeType, change.gameObjectID ?? "")
/// }
/// ```
///
/// The history has no values: read them from the world. Any thread may use a change, also after the
/// store was removed.
public struct NSPersistentHistoryComponentChange: Sendable, Equatable {
    /// The change with the keys of the file.
    package let content: HistoryComponentChange
    let record: HistoryRecord

    init(_ content: HistoryComponentChange, _ record: HistoryRecord) {
        self.content = content
        self.record = record
    }

    /// The name of the component's type in the file, of a relationship its name, and of a resource
    /// `resource/` and the name of its type.
    ///
    /// Under the name `GameObject` are the game objects of a world themselves: they are inserted
    /// when they are spawned, and deleted when they are despawned.
    public var componentName: String { content.name }

    /// Whether the component was added (`insert`), got another value (`update`) or was removed
    /// (`delete`), as seen from one commit to the next.
    ///
    /// What a save adds and takes away again is not in the history.
    public var changeType: NSPersistentHistoryChangeType {
        switch content.kind {
        case .added: .insert
        case .changed: .update
        case .removed: .delete
        }
    }

    /// The game object, or that which a link leads from; `nil` for a resource.
    ///
    /// A world's game object has an ID like a managed object's, and need not have a record.
    public var gameObjectID: NSManagedObjectID? { content.object.flatMap(record.source.objectID) }

    /// The game object that a link leads to, of an updated one since the transaction; `nil` for
    /// components and resources.
    public var targetID: NSManagedObjectID? { content.target.flatMap(record.source.objectID) }

    /// The transaction.
    public var transaction: NSPersistentHistoryTransaction {
        NSPersistentHistoryTransaction(record, includesChanges: true)
    }

    /// Whether both are the same change of the same transaction.
    public static func == (left: Self, right: Self) -> Bool {
        left.record.isSame(as: right.record) && left.content == right.content
    }
}

extension NSPersistentHistoryComponentChange: CustomStringConvertible {
    /// The component, the game object and what happened.
    public var description: String {
        let ends = [content.object, content.target].compactMap { $0?.description }
        return "\(changeType) of \(componentName)"
            + (ends.isEmpty ? "" : " of \(ends.joined(separator: " to "))")
    }
}

extension HistoryRecord {
    /// The bytes that a change takes in memory.
    private static let bytesPerComponentChange = UInt64(
        MemoryLayout<NSPersistentHistoryComponentChange>.stride)

    /// What happened to components, without those of a store that has no game objects by its
    /// configuration or the model.
    ///
    /// - Throws: 134070 for a damaged entry, and for one with more changes than fit into memory: a
    ///   few bytes may stand for any number of them.
    func componentChanges() throws -> [NSPersistentHistoryComponentChange] {
        try reading {
            let count = try set.componentChangeCount()
            try checkMemory(
                count, "changes of components", bytes: HistoryRecord.bytesPerComponentChange)
            var changes: [NSPersistentHistoryComponentChange] = []
            // A damaged entry may have any number.
            changes.reserveCapacity(min(Int(count), 1 << 16))
            // All of a transaction are of one entity.
            var isKnown: Bool?
            try set.forEachComponentChange { change in
                if isKnown == nil, let object = change.object {
                    isKnown = source.objectID(object) != nil
                }
                if change.object == nil || isKnown == true {
                    changes.append(NSPersistentHistoryComponentChange(change, self))
                }
            }
            return changes
        }
    }

    /// Whether both are the same transaction of the same store.
    func isSame(as other: HistoryRecord) -> Bool {
        number == other.number && source.owner.identity == other.source.owner.identity
    }
}
