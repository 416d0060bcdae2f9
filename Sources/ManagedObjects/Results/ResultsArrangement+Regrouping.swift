// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Sections that change their order, and sections that a change tears apart.
///
/// A fetch refuses results whose sections are torn. An event cannot be refused: the objects of a
/// section stand together then, where the first of them belongs.
extension ResultsArrangement {
    /// What the results are before an event, and what the objects are after it.
    struct Turn {
        /// The former results in their order.
        let before: [NSManagedObject]
        /// The entries that touched ones had.
        let former: [ObjectIdentifier: ResultsEntry]
        /// The new results, sorted, whatever their sections.
        let now: [NSManagedObject]
    }

    /// The turn of an event that has changed the list already, from results in order.
    func turn(
        after touch: ResultsTouch, _ former: [ObjectIdentifier: ResultsEntry]
    ) -> Turn {
        let now = list.objects(in: 0..<list.count)
        let new = Set(touch.inserted.map { ObjectIdentifier($0) })
        func entry(_ object: NSManagedObject) -> ResultsEntry {
            former[ObjectIdentifier(object)] ?? self.entry(of: object)
        }
        let before = now.filter { !new.contains(ObjectIdentifier($0)) } + touch.removed
        return Turn(
            before: before.sorted { order.precedes(entry($0), entry($1)) }, former: former,
            now: now)
    }

    /// The turn of an event that has changed the entries alone.
    func turn(
        of touch: ResultsTouch, _ former: [ObjectIdentifier: ResultsEntry]
    ) -> Turn {
        let before = list.objects(in: 0..<list.count)
        let now = before.filter { contains($0) } + touch.inserted
        return Turn(
            before: before, former: former,
            now: now.sorted { order.precedes(entry(of: $0), entry(of: $1)) })
    }

    /// Groups the objects by section anew, and says what that changes.
    ///
    /// - Complexity: O(results × log results).
    func regroup(_ turn: Turn, _ touch: ResultsTouch) -> ResultsEvent {
        let former = ResultsGroups(turn.before) { object in
            (turn.former[ObjectIdentifier(object)] ?? entry(of: object)).section
        }
        let groups = ResultsGroups(turn.now) { entry(of: $0).section }
        adopt(groups)
        return ResultsRegrouping(former, groups, touch).event
    }
}
