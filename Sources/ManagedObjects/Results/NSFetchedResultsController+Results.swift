// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

extension NSFetchedResultsController {
    /// The results in order; nil before the first fetch and after a reset of the context.
    ///
    /// - Complexity: O(results) when it is asked for the first time after a change.
    public final var fetchedObjects: [ResultType]? {
        guard let objects = core.fetchedObjects else { return nil }
        let known = isFacade ? core.presentedObjects : core.typedObjects
        if let known = known as? [ResultType] { return known }
        let made = typed(objects)
        if isFacade { core.presentedObjects = made } else { core.typedObjects = made }
        return made
    }

    /// Checks once a class, not once an object; a cast of the array would do so with each call.
    private func typed(_ objects: [NSManagedObject]) -> [ResultType] {
        guard ResultType.self is NSManagedObject.Type else { return objects.map { typed($0) } }
        var checked: NSManagedObject.Type?
        for object in objects where type(of: object) != checked {
            checked = type(of: object)
            _ = typed(object)
        }
        // SAFETY: the same references under another static type. The loop above has cast one object
        // of each class, and a cast that fails traps.
        return unsafeBitCast(objects, to: [ResultType].self)
    }

    /// The sections in order; nil before the first fetch.
    ///
    /// Without a section key path there is one, which may be empty; with one, none is empty.
    ///
    /// - Complexity: O(sections) when it is asked for the first time after they have changed.
    public final var sections: [any NSFetchedResultsSectionInfo]? {
        core.arrangement?.sectionInfos
    }

    /// The object at an index path; traps where there is none.
    ///
    /// - Complexity: O(results / 512).
    public final func object(at indexPath: IndexPath) -> ResultType {
        guard let arrangement = core.arrangement else {
            trap("there is no object at \(indexPath) before performFetch()")
        }
        let sections = arrangement.sections
        require(
            indexPath.count == 2 && sections.indices.contains(indexPath.section)
                && indexPath.item >= 0
                && indexPath.item < sections[indexPath.section].numberOfObjects,
            "there is no object at \(indexPath); the sections have "
                + "\(sections.map(\.numberOfObjects)) objects")
        return typed(arrangement.list[sections[indexPath.section].start + indexPath.item])
    }

    /// Where an object stands; nil for one that is no result.
    ///
    /// - Complexity: O(log results).
    public final func indexPath(forObject object: ResultType) -> IndexPath? {
        (object as? NSManagedObject).flatMap { core.arrangement?.indexPath(of: $0) }
    }

    /// The titles of the sections, each once.
    public final var sectionIndexTitles: [String] {
        var titles: [String] = []
        for section in core.arrangement?.sections ?? [] {
            if let title = section.indexTitle, !titles.contains(title) { titles.append(title) }
        }
        return titles
    }

    /// The first section of a title of ``sectionIndexTitles``; traps for another title.
    public final func section(
        forSectionIndexTitle title: String, at sectionIndex: Int
    ) -> Int {
        let found = core.arrangement?.sections.firstIndex { $0.indexTitle == title }
        guard let found else {
            trap(
                "no section has the title \(title); there are \(sectionIndexTitles)")
        }
        return found
    }

    private func typed(_ object: NSManagedObject) -> ResultType {
        guard let result = object as? ResultType else {
            trap("\(object.objectID) is no \(ResultType.self)")
        }
        return result
    }
}
