// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The entities that classes were used with last: what `entity()` without a context answers.
enum EntityClasses {
    /// Only the model is weak: a weak reference to the entity would slow down its objects.
    private struct WeakEntity {
        weak var model: NSManagedObjectModel?
        let name: String

        var entity: NSEntityDescription? { model?.entitiesByName[name] }
    }

    // Guards the dictionary, which contexts of any queue fill.
    private static let entities = Mutex<[ObjectIdentifier: WeakEntity]>([:])

    static func note(_ type: NSManagedObject.Type, _ entity: NSEntityDescription) {
        entities.withLock { known in
            let identifier = ObjectIdentifier(type)
            known[identifier] = WeakEntity(model: entity.model, name: entity.name ?? "")
        }
    }

    static func entity(for type: NSManagedObject.Type) -> NSEntityDescription {
        if let entity = entities.withLock({ $0[ObjectIdentifier(type)]?.entity }) { return entity }
        guard let found = LoadedModels.entity(for: type) else {
            let text =
                "lode: no entity of a model in use, or more than one, names the class \(type), so "
                + "its entity() has no name; load a store with the model first\n"
            FileHandle.standardError.write(Data(text.utf8))
            return NSEntityDescription()
        }
        return found
    }
}

/// The models that coordinators use, found by their classes.
enum LoadedModels {
    private struct WeakModel {
        weak var model: NSManagedObjectModel?
    }

    // Guards the list, to which coordinators of any thread add.
    private static let models = Mutex<[WeakModel]>([])

    static func note(_ model: NSManagedObjectModel) {
        models.withLock { known in
            known.removeAll { $0.model == nil || $0.model === model }
            known.append(WeakModel(model: model))
        }
    }

    static func entity(for type: NSManagedObject.Type) -> NSEntityDescription? {
        let known = models.withLock { $0.compactMap(\.model) }
        for model in known.reversed() {
            let claimants = (try? model.compile())?.claimants(of: type) ?? []
            if claimants.count == 1 { return claimants[0].description }
        }
        return nil
    }
}
