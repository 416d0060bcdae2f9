// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ResultsCore {
    /// Tells the readers and the delegate, in the style that it implements.
    func tell(_ event: ResultsEvent) {
        if !readers.isEmpty { readers.send(event.change) }
        guard let delegate, let controller = presented() else { return }
        if takesSnapshots, let arrangement {
            // A list moves what it shows of an object, so it has to hear that it shows it no more.
            let changed = event.objects.filter { $0.type == .update || $0.type == .move }
            delegate.controller(
                controller,
                didChangeContentWith: NSDiffableDataSourceSnapshotReference(
                    arrangement, reloaded: changed.map(\.object)))
            if takesSnapshots { return }
        }
        if takesDifferences, sectionKeyPath == nil {
            delegate.controller(controller, didChangeContentWith: event.difference)
            if takesDifferences { return }
        }
        delegate.controllerWillChangeContent(controller)
        for change in event.sections {
            delegate.controller(
                controller, didChange: change.section, atSectionIndex: change.index,
                for: change.type)
        }
        for change in event.objects {
            delegate.controller(
                controller, didChange: change.object, at: change.indexPath, for: change.type,
                newIndexPath: change.newIndexPath)
        }
        delegate.controllerDidChangeContent(controller)
    }

    /// Gives the snapshot of a fetch to a delegate that takes snapshots.
    func tellFetch() {
        guard takesSnapshots, let delegate, let arrangement, let controller = presented() else {
            return
        }
        delegate.controller(
            controller, didChangeContentWith: NSDiffableDataSourceSnapshotReference(arrangement))
    }
}
