// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// What one event did to an arrangement.
struct ResultsEvent {
    struct SectionChange {
        let section: ResultsSection
        let index: Int
        let type: NSFetchedResultsChangeType
    }

    struct ObjectChange {
        let object: NSManagedObject
        let type: NSFetchedResultsChangeType
        var indexPath: IndexPath?
        var newIndexPath: IndexPath?
    }

    var sections: [SectionChange] = []
    var objects: [ObjectChange] = []

    /// The event in a form that may go to other tasks.
    var change: FetchedResultsChange {
        FetchedResultsChange(
            sections: sections.map {
                FetchedResultsChange.Section(name: $0.section.name, index: $0.index, type: $0.type)
            },
            objects: objects.map {
                FetchedResultsChange.Object(
                    objectID: $0.object.objectID, type: $0.type, indexPath: $0.indexPath,
                    newIndexPath: $0.newIndexPath)
            }, isFetch: false)
    }

    /// The event as a difference of lists, for results of one section.
    var difference: CollectionDifference<NSManagedObjectID> {
        var changes: [CollectionDifference<NSManagedObjectID>.Change] = []
        let inserted = objects.filter { $0.type == .insert || $0.type == .move }
        let removed = objects.filter { $0.type == .delete || $0.type == .move }
        let (gone, come) = (
            removed.compactMap { $0.indexPath?.item }.sorted(),
            inserted.compactMap { $0.newIndexPath?.item }.sorted()
        )
        for change in objects {
            let id = change.object.objectID
            let old = change.indexPath?.item
            let isUpdate = change.type == .update
            let new =
                isUpdate ? old.map { Self.shifted($0, gone, come) } : change.newIndexPath?.item
            if let old { changes.append(.remove(offset: old, element: id, associatedWith: new)) }
            if let new { changes.append(.insert(offset: new, element: id, associatedWith: old)) }
        }
        guard let difference = CollectionDifference(changes) else {
            trap("the changes of the results contradict each other: \(objects)")
        }
        return difference
    }

    /// Where an object that stays ends up.
    private static func shifted(_ position: Int, _ gone: [Int], _ come: [Int]) -> Int {
        var result = position - gone.count { $0 < position }
        for place in come where place <= result { result += 1 }
        return result
    }
}
