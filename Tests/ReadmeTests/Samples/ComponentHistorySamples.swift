// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Samples about what the history says of components.
enum ComponentHistorySamples {
    typealias Position = WorldSamples.Position

    static func names(_ transaction: NSPersistentHistoryTransaction) {
        // SAMPLE: NSPersistentHistoryComponentChange.swift
        for change in transaction.componentChanges ?? [] where change.componentName == "Position" {
            print(change.changeType, change.gameObjectID ?? "")
        }
        // SAMPLE: end
    }

    static func types(_ transactions: [NSPersistentHistoryTransaction], _ world: World) {
        // SAMPLE: ComponentHistory.swift
        for transaction in transactions where transaction.author != "editor" {
            for change in transaction.componentChanges ?? [] where change.isOf(Position.self) {
                guard let object = change.gameObject else { continue }
                print(object, world[object, Position.self] as Any)
            }
        }
        // SAMPLE: end
    }

    static func send(
        _ transactions: [NSPersistentHistoryTransaction], _ world: World,
        _ send: (GameObjectID, Position?) -> Void
    ) {
        // SAMPLE: ValueComponents.md
        world.advance()
        for transaction in transactions {
            for change in transaction.componentChanges ?? [] where change.isOf(Position.self) {
                guard let object = change.gameObject else { continue }
                send(object, world[object, Position.self])  // nil: it is gone
            }
        }
        // SAMPLE: end
    }

    static func fetch(_ context: NSManagedObjectContext) throws -> Int {
        // SAMPLE: HistoryAndOtherProcesses.md
        let fetch = NSPersistentHistoryComponentChange.fetchRequest!
        fetch.predicate = NSPredicate(
            format: "componentName == 'Position' AND transaction.author != %@", "app")
        let moves = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        moves.resultType = .changesOnly
        let result = try context.execute(moves) as? NSPersistentHistoryResult
        let changes = result?.result as? [NSPersistentHistoryComponentChange] ?? []
        // SAMPLE: end
        return changes.count
    }

    static func each(_ transaction: NSPersistentHistoryTransaction) {
        // SAMPLE: HistoryAndOtherProcesses.md
        for change in transaction.componentChanges ?? [] {
            print(change.changeType, change.componentName, change.gameObjectID ?? "")
        }
        // SAMPLE: end
    }
}
