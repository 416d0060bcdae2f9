// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
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
    ///
    /// - Complexity: O(n log n) for n changes.
    var difference: CollectionDifference<NSManagedObjectID> {
        let shift = Shift(of: objects)
        var removals: [DifferenceStep] = []
        var insertions: [DifferenceStep] = []
        for change in objects {
            let old = change.indexPath?.item
            let isUpdate = change.type == .update
            let new =
                isUpdate ? old.map { shift.place(of: $0) } : change.newIndexPath?.item
            let id = change.object.objectID
            if let old { removals.append(DifferenceStep(offset: old, id: id, partner: new)) }
            if let new { insertions.append(DifferenceStep(offset: new, id: id, partner: old)) }
        }
        // In its own order: it sorts what it is given, at ten times the price of these.
        removals.sort { $0.offset < $1.offset }
        insertions.sort { $0.offset < $1.offset }
        let changes = removals.map(\.removal) + insertions.map(\.insertion)
        guard let difference = CollectionDifference(changes) else {
            trap("the changes of the results contradict each other: \(objects)")
        }
        return difference
    }
}

/// One end of a change.
private struct DifferenceStep {
    typealias Change = CollectionDifference<NSManagedObjectID>.Change

    let offset: Int
    let id: NSManagedObjectID
    /// The position on the other side, of an object that is on both.
    let partner: Int?

    var removal: Change { .remove(offset: offset, element: id, associatedWith: partner) }
    var insertion: Change { .insert(offset: offset, element: id, associatedWith: partner) }
}

/// Where objects that stay end up, as others come and go.
private struct Shift {
    /// The positions, ascending, that objects leave, before all changes.
    private let gone: [Int]
    /// The positions, ascending, that objects take, after all changes.
    private let come: [Int]

    init(of changes: [ResultsEvent.ObjectChange]) {
        gone = changes.filter { $0.type == .delete || $0.type == .move }
            .compactMap { $0.indexPath?.item }.sorted()
        come = changes.filter { $0.type == .insert || $0.type == .move }
            .compactMap { $0.newIndexPath?.item }.sorted()
    }

    /// The place of an object that stays.
    ///
    /// - Complexity: O(log n)
    func place(of position: Int) -> Int {
        let rank = position - gone.partitioningIndex { $0 >= position }
        // Before newcomer k stand `come[k] - k` of those that stay.
        return rank + come.indices.partitioningIndex { come[$0] - $0 > rank }
    }
}
