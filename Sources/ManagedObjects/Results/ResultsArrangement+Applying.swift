// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How the objects that an event concerns relate to the results.
struct ResultsTouch {
    /// Objects that are no longer results.
    var removed: [NSManagedObject] = []
    /// Objects that are results from now on.
    var inserted: [NSManagedObject] = []
    /// Results that changed and still are results.
    var changed: [NSManagedObject] = []

    var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty }
}

extension ResultsArrangement {
    /// A result whose place may have changed.
    private struct Candidate {
        let object: NSManagedObject
        let old: Int
        let oldPath: IndexPath
        let entry: ResultsEntry
        /// The entry that it had; nil for a new result.
        let former: ResultsEntry?

        var isNew: Bool { former == nil }
    }

    /// Brings the results up to date with the objects that an event concerns.
    ///
    /// - Complexity: O(touched objects, times the logarithm of all results, and sections);
    ///   O(results × log results) where sections change their order or are torn.
    func apply(_ touch: ResultsTouch) throws -> ResultsEvent {
        var event = ResultsEvent()
        var placed = try candidates(touch.changed, &event)
        let gone = touch.removed.map { object in
            let entry = entry(of: object)
            return (object: object, old: position(of: entry), entry: entry)
        }.sorted { $0.old < $1.old }
        for (object, old, entry) in gone {
            event.objects.append(
                .init(object: object, type: .delete, indexPath: path(old, entry.section)))
        }
        for object in touch.inserted {
            let entry = try makeEntry(object)
            placed.append(
                Candidate(object: object, old: -1, oldPath: [], entry: entry, former: nil))
        }
        for (object, _, _) in gone { entries[ObjectIdentifier(object)] = nil }
        for candidate in placed {
            entries[ObjectIdentifier(candidate.object)] = candidate.entry
        }
        if isTorn { return regroup(turn(of: touch, former(gone, placed)), touch) }
        let leaving = (placed.filter { !$0.isNew }.map(\.old) + gone.map(\.old)).sorted()
        for old in leaving.reversed() { list.remove(at: old) }
        for (_, _, entry) in gone { entry.section.numberOfObjects -= 1 }
        placed.sort { order.precedes($0.entry, $1.entry) }
        let positions = insert(placed)
        guard updateSections(placed, positions, &event) else {
            return regroup(turn(after: touch, former(gone, placed)), touch)
        }
        report(placed, positions, leaving, &event)
        return event
    }

    /// The entries that the objects of an event had, for one that regroups.
    private func former(
        _ gone: [(object: NSManagedObject, old: Int, entry: ResultsEntry)], _ placed: [Candidate]
    ) -> [ObjectIdentifier: ResultsEntry] {
        var result: [ObjectIdentifier: ResultsEntry] = [:]
        for (object, _, entry) in gone { result[ObjectIdentifier(object)] = entry }
        for candidate in placed { result[ObjectIdentifier(candidate.object)] = candidate.former }
        return result
    }

    /// Reports what stays where it is, and returns the rest.
    private func candidates(
        _ changed: [NSManagedObject], _ event: inout ResultsEvent
    ) throws -> [Candidate] {
        var result: [Candidate] = []
        var updates: [(Int, ResultsEvent.ObjectChange)] = []
        for object in changed {
            let former = entry(of: object)
            let entry = try makeEntry(object)
            let old = position(of: former)
            let oldPath = path(old, former.section)
            if entry.section === former.section, entry.hasValues(of: former) {
                updates.append((old, .init(object: object, type: .update, indexPath: oldPath)))
            } else {
                result.append(
                    Candidate(
                        object: object, old: old, oldPath: oldPath, entry: entry, former: former))
            }
        }
        event.objects += updates.sorted { $0.0 < $1.0 }.map(\.1)
        return result
    }

    /// Puts sorted candidates in their places and returns their positions.
    private func insert(_ placed: [Candidate]) -> [Int] {
        for candidate in placed {
            candidate.former?.section.numberOfObjects -= 1
            candidate.entry.section.numberOfObjects += 1
        }
        return placed.map { candidate in
            let position = position(of: candidate.entry)
            list.insert(candidate.object, at: position)
            return position
        }
    }

    /// Drops empty sections, finds places for new ones and numbers them all.
    ///
    /// - Returns: Whether each candidate stands in its section then.
    private func updateSections(
        _ placed: [Candidate], _ positions: [Int], _ event: inout ResultsEvent
    ) -> Bool {
        defer { renumber() }
        guard sectionKeyPath != nil else { return true }
        for section in sections where section.numberOfObjects == 0 {
            event.sections.append(.init(section: section, index: section.index, type: .delete))
            forget(section)
        }
        sections.removeAll { $0.numberOfObjects == 0 }
        renumber()
        let made = newSections(placed, positions)
        add(made)
        renumber()
        for (section, _) in made {
            event.sections.append(.init(section: section, index: section.index, type: .insert))
        }
        return zip(placed, positions).allSatisfy { candidate, position in
            let section = candidate.entry.section
            return section.start..<section.start + section.numberOfObjects ~= position
        }
    }

    /// The sections that the candidates begin, in their order, with the number of former sections
    /// that stand before each.
    private func newSections(
        _ placed: [Candidate], _ positions: [Int]
    ) -> [(section: ResultsSection, place: Int)] {
        var made: [(section: ResultsSection, place: Int)] = []
        var known: Set<ObjectIdentifier> = []
        for (candidate, position) in zip(placed, positions) where candidate.entry.section.index < 0
        {
            let section = candidate.entry.section
            guard known.insert(ObjectIdentifier(section)).inserted else { continue }
            var place = 0
            if position > 0 {
                let before = entry(of: list[position - 1]).section
                // One without an index is the new one that stands before this one.
                place = before.index < 0 ? made.last?.place ?? 0 : before.index + 1
            }
            made.append((section, place))
        }
        return made
    }

    /// Puts new sections between the former ones, all at once as there may be many.
    private func add(_ made: [(section: ResultsSection, place: Int)]) {
        if made.isEmpty { return }
        var merged: [ResultsSection] = []
        merged.reserveCapacity(sections.count + made.count)
        var former = 0
        for (section, place) in made {
            if place > former { merged += sections[former..<place] }
            former = max(former, place)
            merged.append(section)
        }
        merged += sections[former...]
        sections = merged
    }

    /// Reports insertions, moves and, for candidates that kept their place, updates.
    ///
    /// A candidate kept its place when as many objects that did not move stand before it as did.
    private func report(
        _ placed: [Candidate], _ positions: [Int], _ leaving: [Int], _ event: inout ResultsEvent
    ) {
        var lastKept = -1
        var moves: [ResultsEvent.ObjectChange] = []
        var updates: [ResultsEvent.ObjectChange] = []
        for (index, candidate) in placed.enumerated() {
            let path = path(positions[index], candidate.entry.section)
            if candidate.isNew {
                event.objects.append(
                    .init(object: candidate.object, type: .insert, newIndexPath: path))
                continue
            }
            let leftBefore = leaving.partitioningIndex { $0 >= candidate.old }
            let isInPlace =
                candidate.former?.section === candidate.entry.section && candidate.old > lastKept
                && candidate.old - leftBefore == positions[index] - index
            if isInPlace {
                lastKept = candidate.old
                updates.append(
                    .init(object: candidate.object, type: .update, indexPath: candidate.oldPath))
            } else {
                moves.append(
                    .init(
                        object: candidate.object, type: .move, indexPath: candidate.oldPath,
                        newIndexPath: path))
            }
        }
        event.objects += moves + updates
    }
}
