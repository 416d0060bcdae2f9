// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

/// Components whose data lies in a further store.
///
/// Their entries in `components` and `owners` would have to name objects of another file. So they
/// have none, and are found by the URI that they keep, among all components.
extension ComponentLookup {
    /// Whether data may lie in further stores.
    var hasDataElsewhere: Bool {
        // Asked first, as the coordinator's list is behind a lock.
        moc.hasFurtherStores && (moc.persistentStoreCoordinator?.persistentStores.count ?? 0) > 1
    }

    /// The component that points to data of a further store; the first one where there are several.
    ///
    /// - Complexity: O(components)
    func component(ofDataElsewhere id: NSManagedObjectID) throws -> Component? {
        guard hasDataElsewhere, !id.isTemporaryID else { return nil }
        let request = Component.fetchRequest()
        request.predicate = NSPredicate(format: "representation == %@", id.uriText)
        return try moc.fetch(request).filter { !$0.isDeleted }
            .min { $0.contextKey < $1.contextKey }
    }

    /// The game objects that have data of a type in a further store.
    ///
    /// - Complexity: O(components)
    func gameObjects(withTypeElsewhere type: NSManagedObject.Type) throws -> [GameObject] {
        guard hasDataElsewhere else { return [] }
        return try moc.fetch(Component.fetchRequest()).compactMap { component in
            guard let owner = component.gameObject, !owner.isDeleted,
                index.dataKey(of: component) == nil,
                try DataURIs.data(of: component, moc)?.isKind(of: type) == true
            else { return nil }
            return owner
        }
    }
}
