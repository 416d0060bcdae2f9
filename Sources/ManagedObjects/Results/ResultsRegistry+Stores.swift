// SPDX-License-Identifier: Apache-2.0

/// Controllers that follow the objects of some stores.
///
/// An object without a store may come to be in any of them. Where it goes is known when it is
/// assigned or saved, and neither is a change of the object.
extension ResultsRegistry {
    /// Takes objects that were assigned or saved out of results that they are not in, or into those
    /// that they are in.
    ///
    /// While an event is open, or delegates are told of one, it waits for the end of an event.
    ///
    /// - Complexity: O(1) if no controller names stores, else O(objects × controllers of entities)
    func storesWereChosen(
        for objects: some Sequence<NSManagedObject>, in context: NSManagedObjectContext
    ) {
        guard namesStores else { return }
        reassigned.append(contentsOf: objects)
        if !isTelling, !context.changes.hasEvent { process([:]) }
    }

    /// Notes the assigned objects with the controllers that name stores and have to move them.
    ///
    /// - Parameter touched: The objects of the event, which are noted already.
    func noteReassigned(except touched: [NSManagedObject], _ concerned: inout [ResultsCore]) {
        if reassigned.isEmpty { return }
        var seen = Set(touched.map { ObjectIdentifier($0) })
        for object in reassigned where seen.insert(ObjectIdentifier(object)).inserted {
            followers[object.runtimeOrdinal]?.forEach { core in
                guard core.namesStores, core.isMisplaced(object) else { return }
                if core.note(object) { concerned.append(core) }
            }
        }
        reassigned = []
    }
}
