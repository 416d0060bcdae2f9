// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Is told how the results of a controller change.
///
/// Every member has a default implementation. A delegate implements one of three styles: the four
/// methods for single changes; or ``controller(_:didChangeContentWith:)-snapshot``, which replaces
/// all others; or, for results without sections, the one with a `CollectionDifference`. The class
/// that declares the conformance has to implement them itself: those that only a subclass has are
/// not found.
///
/// The methods run on the context's queue, once the results are up to date, before the
/// notification of the same event. They must not change the context, which traps.
///
/// The controller that they are given shares all with the one that the delegate was set on and is
/// equal to it, but is another object, unless that one is a
/// `NSFetchedResultsController<any NSFetchRequestResult>` too.
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
    /// Single changes follow.
    func controllerWillChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// A section came or went; called before all objects' changes.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - sectionInfo: The section.
    ///   - sectionIndex: Its index: after the changes for an insertion, before them for a deletion.
    ///   - type: `insert` or `delete`.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType)

    /// An object came, went, moved or changed.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - anObject: The object.
    ///   - indexPath: Where it was before all changes; nil for an insertion.
    ///   - type: What happened.
    ///   - newIndexPath: Where it is after all changes; nil for a deletion and an update.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?)

    /// All single changes were reported.
    func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// The results changed or were fetched: all of them, by section.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)

    /// The results changed, as a difference; only for results without sections.
    ///
    /// An object that changed is removed and inserted, each associated with the other.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// The title of a section in an index; by default its first letter as a capital.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

// Swift cannot say which members a class implements. The default implementations of the two that
// replace the others reveal it when they are first called.
extension NSFetchedResultsControllerDelegate {
    /// Does nothing.
    public func controllerWillChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}

    /// Does nothing.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {}

    /// Does nothing.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {}

    /// Does nothing.
    public func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}

    /// Has the controller report single changes instead.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        controller.core.takesSnapshots = false
    }

    /// Has the controller report single changes instead.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        controller.core.takesDifferences = false
    }

    /// The first letter of the name, as a capital.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        controller.sectionIndexTitle(forSectionName: sectionName)
    }
}
