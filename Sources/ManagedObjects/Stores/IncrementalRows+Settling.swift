// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

extension IncrementalRows {
    /// Makes saved objects clean; they keep their values, which the store has taken over.
    func settle(_ group: SavedObjects) -> SavedObjects {
        var permanent: [ObjectKey: ObjectKey] = [:]
        for object in group.inserted { permanent[object.key] = object.reservedKey }
        context.lineage?.publish(permanent)
        let saver = ObjectIdentifier(context)
        further.lastSavers.withLock { savers in
            for object in group.updated + group.deleted { savers[object.key] = saver }
        }
        for object in group.inserted {
            context.settleSaved(
                object, as: permanent[object.key], permanent, keeping: values(of: object, permanent)
            )
        }
        for object in group.updated {
            context.settleSaved(
                object, as: nil, permanent, keeping: values(of: object, permanent))
        }
        for object in group.deleted { context.forget(object) }
        return group
    }

    /// What a saved object has, with permanent keys in it.
    ///
    /// The store is not asked for the new version, which counts as the next number. Versions are
    /// compared only once another context has saved the object since, and they differ then.
    private func values(
        of object: NSManagedObject, _ permanent: [ObjectKey: ObjectKey]
    ) -> InheritedValues? {
        object.replaceReferences(permanent)
        return object.inheritedValues(isNewVersion: true)
    }
}
