// SPDX-License-Identifier: Apache-2.0

import Lode
import _TestSupport

/// Opens damaged files with their pages checked, and reads all that is in them.
struct MutantWork: BatchWork {
    private let folder: String
    private let mutator: FileMutator

    init(_ options: FaultArguments) throws {
        folder = options.folder
        let path = BatchChild.newStore("original", in: folder)
        try WorkStore.with(path, [NSPersistentHistoryTrackingKey: NSNumber(value: true)]) { store in
            var state = WorkState()
            while state.step < 40 {
                try store.save(state, 1)
                state.advance(1)
            }
        }
        let original = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        mutator = FileMutator(original, seed: options.seed)
    }

    func run(_ step: Int) throws -> String {
        let path = BatchChild.newStore("mutant", in: folder)
        try Data(mutator.mutant(step).bytes).write(to: URL(fileURLWithPath: path))
        do {
            try NSPersistentStore.verify(at: URL(fileURLWithPath: path), .pages)
            let model = try NSManagedObjectModel.stored(at: URL(fileURLWithPath: path))
            try WorkStore.with(
                path, model: model,
                [
                    LodeVerifyOption: "pages",
                    NSPersistentHistoryTrackingKey: NSNumber(value: true),
                ],
                MutantReader.read)
        } catch {
            return "refused"
        }
        return "read"
    }
}

/// Reads everything that a store shows.
enum MutantReader {
    static func read(_ store: WorkStore) throws {
        try store.context.performAndWait {
            for entity in store.coordinator.managedObjectModel.entities {
                guard let name = entity.name else { continue }
                let objects: [NSManagedObject] = try store.all(name)
                for object in objects {
                    for key in entity.propertiesByName.keys { _ = object.value(forKey: key) }
                }
            }
            let request = NSPersistentHistoryChangeRequest.fetchHistory(
                after: nil as NSPersistentHistoryToken?)
            let result = try store.context.execute(request) as? NSPersistentHistoryResult
            for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
                _ = transaction.changes?.map(\.changedObjectID)
                _ = transaction.componentChanges?.map(\.gameObjectID)
            }
            try readWorld(store)
            if let error = store.context.lastReadError { throw error }
        }
    }

    private static func readWorld(_ store: WorkStore) throws {
        let world = try store.openWorld()
        for id in world.query(GameObjectID.self).objects {
            _ = world[id, WorkMark.self]
            _ = world[id, WorkSpot.self]
            _ = world[id, WorkTitle.self]
            _ = world.target(of: id, WorkFollows.self).map {
                world.sources(of: $0, WorkFollows.self)
            }
            _ = try world.gameObject(id)?.name
        }
        _ = world[resource: WorkClock.self]
    }
}
