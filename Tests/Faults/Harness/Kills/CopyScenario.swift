// SPDX-License-Identifier: Apache-2.0

import Lode

/// Copies of a file: to a new place, which compacts it, and in the place of another.
struct CopyScenario: KillScenario {
    let name = "copies"

    private static let steps = 12

    private func copyPath(_ place: WorkPlace, _ step: Int) -> String {
        "\(place.folder)/copy-\(step).lode"
    }

    func work(
        _ place: WorkPlace, from step: Int, _ acknowledge: (Int) throws -> Void
    ) throws {
        var step = step
        if step == 0 {
            var state = WorkState()
            try WorkStore.with(place.path) { store in
                while state.step < Self.steps {
                    try store.save(state, place.seed)
                    state.advance(place.seed)
                }
            }
            step = 1
            try acknowledge(step)
        }
        while true {
            step += 1
            try copy(place, step)
            try acknowledge(step)
            try? FileManager.default.removeItem(atPath: copyPath(place, step - 2))
        }
    }

    private func copy(_ place: WorkPlace, _ step: Int) throws {
        let (source, target) = (
            URL(fileURLWithPath: place.path), URL(fileURLWithPath: copyPath(place, step))
        )
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: WorkModel.make())
        // What a copy that was killed has left in its place.
        if FileManager.default.fileExists(atPath: target.path) {
            try FileManager.default.removeItem(at: target)
        }
        if step.isMultiple(of: 2) {
            let store = try coordinator.addPersistentStore(
                ofType: LodeStoreType, configurationName: nil, at: source, options: nil)
            let copied = try coordinator.migratePersistentStore(
                store, to: target, options: nil, withType: LodeStoreType)
            try coordinator.remove(copied)
        } else {
            // In the place of the last one.
            try coordinator.replacePersistentStore(
                at: URL(fileURLWithPath: copyPath(place, 0)), withPersistentStoreFrom: source,
                ofType: LodeStoreType)
            try FileManager.default.copyItem(
                at: URL(fileURLWithPath: copyPath(place, 0)), to: target)
        }
    }

    func check(_ place: WorkPlace, from: Int, acknowledged: Int) throws -> Int {
        guard acknowledged > 0 else {
            // Killed while the file was made, save by save.
            if FileManager.default.fileExists(atPath: place.path) {
                _ = try WorkCheck.file(
                    place.path, seed: place.seed, acknowledged: 0, begun: Self.steps)
                try? FileManager.default.removeItem(atPath: place.path)
            }
            return 0
        }
        try checkCopy(place.path, place)
        if acknowledged > 1 { try checkCopy(copyPath(place, acknowledged), place) }
        // A copy that was not acknowledged is whole or not there.
        let next = acknowledged + 1
        let paths = [copyPath(place, 0)] + (next.isMultiple(of: 2) ? [copyPath(place, next)] : [])
        for path in paths where FileManager.default.fileExists(atPath: path) {
            try checkCopy(path, place)
        }
        return acknowledged
    }

    private func checkCopy(_ path: String, _ place: WorkPlace) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw Violation("\(path) is gone")
        }
        _ = try WorkCheck.file(
            path, seed: place.seed, acknowledged: Self.steps, begun: Self.steps)
    }
}
