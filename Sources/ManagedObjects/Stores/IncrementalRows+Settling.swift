// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

extension IncrementalRows {
    /// Makes saved objects clean; their values are asked for anew.
    func settle(_ group: SavedObjects) -> SavedObjects {
        var permanent: [ObjectKey: ObjectKey] = [:]
        for object in group.inserted { permanent[object.key] = object.extras?.reservedKey }
        context.lineage?.publish(permanent)
        let saver = ObjectIdentifier(context)
        further.lastSavers.withLock { savers in
            for object in group.updated + group.deleted { savers[object.key] = saver }
        }
        for object in group.inserted {
            context.settleSaved(object, as: permanent[object.key], permanent)
        }
        for object in group.updated { context.settleSaved(object, as: nil, permanent) }
        for object in group.deleted { context.forget(object) }
        return group
    }
}
