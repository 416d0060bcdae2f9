// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

typealias AnyController = NSFetchedResultsController<any NSFetchRequestResult>

/// Writes down what a controller tells, one line a call.
final class ResultsRecorder: NSObject, NSFetchedResultsControllerDelegate {
    private var lines: [String] = []

    /// What was told since the last call.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    func controllerWillChangeContent(_ controller: AnyController) { lines.append("will") }

    func controller(
        _ controller: AnyController, didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) {
        lines.append("\(type) section \(sectionInfo.name) \(sectionIndex)")
    }

    func controller(
        _ controller: AnyController, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        let name = (anObject as? NSManagedObject)?.text("name") ?? "?"
        lines.append("\(type) \(name) \(text(indexPath)) \(text(newIndexPath))")
    }

    func controllerDidChangeContent(_ controller: AnyController) { lines.append("did") }

    private func text(_ path: IndexPath?) -> String {
        path.map { "\($0.section).\($0.item)" } ?? "-"
    }
}

typealias ObjectController = NSFetchedResultsController<NSManagedObject>

extension NSManagedObjectContext {
    /// A controller, not fetched; keys that begin with a minus sort descending.
    func controller(
        _ entity: String, by keys: [String], sections: String? = nil, where format: String? = nil,
        limit: Int = 0, offset: Int = 0
    ) -> ObjectController {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = keys.map { key in
            key.hasPrefix("-")
                ? NSSortDescriptor(key: String(key.dropFirst()), ascending: false)
                : NSSortDescriptor(key: key, ascending: true)
        }
        request.predicate = format.map { NSPredicate(format: $0) }
        request.fetchLimit = limit
        request.fetchOffset = offset
        return ObjectController(
            fetchRequest: request, managedObjectContext: self, sectionNameKeyPath: sections,
            cacheName: nil)
    }
}

extension NSFetchedResultsController<NSManagedObject> {
    /// Names by section, such as `a: one two`.
    var lines: [String] {
        (sections ?? []).map { section in
            let names = (section.objects ?? []).map {
                ($0 as? NSManagedObject)?.text("name") ?? "?"
            }
            return ([section.name + ":"] + names).joined(separator: " ")
        }
    }
}
