// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// A transaction as predicates see it.
struct TransactionSubject: PredicateSubject {
    let record: HistoryRecord

    var predicateIdentity: ObjectKey? { nil }

    func predicateOperand(forKey key: String) throws -> SubjectOperand {
        let set = record.set
        switch key {
        case "author": return text(set.author)
        case "contextName": return text(set.contextName)
        case "bundleID": return text(set.bundleID)
        case "processID": return text(set.processID)
        case "storeID": return text(record.source.owner.identity)
        case "timestamp": return .value(.date(set.timestamp))
        case "transactionNumber", "token": return .value(.integer64(Int64(clamping: record.number)))
        case "componentChanges":
            return .collection(
                try record.componentChanges().map { .subject(ComponentChangeSubject(change: $0)) })
        case "changes":
            return .collection(try record.changes().map { .subject(ChangeSubject(change: $0)) })
        default:
            throw HistorySubjectError.unknownKey(
                key, of: "a transaction",
                "author, bundleID, changes, componentChanges, contextName, processID, storeID, "
                    + "timestamp, token, transactionNumber")
        }
    }

    private func text(_ text: String?) -> SubjectOperand {
        .value(text.map { .string($0) } ?? .null)
    }
}

/// A change as predicates see it.
struct ChangeSubject: PredicateSubject {
    let change: NSPersistentHistoryChange

    var predicateIdentity: ObjectKey? { nil }

    func predicateOperand(forKey key: String) throws -> SubjectOperand {
        switch key {
        case "changeID": return .value(.integer64(change.changeID))
        case "changeType": return .value(.integer64(Int64(change.changeType.rawValue)))
        case "changedObjectID": return .value(.objectID(change.changedObjectID.key))
        case "changedEntity":
            return .value(.string(change.changedObjectID.runtime.entity.name))
        case "updatedProperties":
            let names = change.record.source.propertyNames(change.content)
            return .collection(names.map { .value(.string($0)) })
        case "transaction": return .subject(TransactionSubject(record: change.record))
        default:
            throw HistorySubjectError.unknownKey(
                key, of: "a change",
                "changeID, changeType, changedEntity, changedObjectID, transaction, "
                    + "updatedProperties")
        }
    }
}

/// A change of a component as predicates see it.
struct ComponentChangeSubject: PredicateSubject {
    let change: NSPersistentHistoryComponentChange

    var predicateIdentity: ObjectKey? { nil }

    func predicateOperand(forKey key: String) throws -> SubjectOperand {
        switch key {
        case "componentName": return .value(.string(change.componentName))
        case "changeType": return .value(.integer64(Int64(change.changeType.rawValue)))
        case "gameObjectID": return object(change.gameObjectID)
        case "targetID": return object(change.targetID)
        case "transaction": return .subject(TransactionSubject(record: change.record))
        default:
            throw HistorySubjectError.unknownKey(
                key, of: "a change of a component",
                "changeType, componentName, gameObjectID, targetID, transaction")
        }
    }

    private func object(_ id: NSManagedObjectID?) -> SubjectOperand {
        .value(id.map { .objectID($0.key) } ?? .null)
    }
}

enum HistorySubjectError {
    static func unknownKey(_ key: String, of what: String, _ keys: String) -> CocoaError {
        CoreDataError.make(
            .persistentStoreOperation,
            "\(what) of the history has no property \(key) to compare; it has \(keys)")
    }
}
