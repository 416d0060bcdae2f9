// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An event that gives sections another order, or the objects of torn ones another place.
///
/// There is no such thing as the move of a section: it is deleted and inserted, and its objects
/// move.
struct ResultsRegrouping {
    private let former: ResultsGroups
    private let groups: ResultsGroups
    private let removed: [NSManagedObject]
    private let gone: Set<ObjectIdentifier>
    private let changed: Set<ObjectIdentifier>
    /// The places of the sections that keep their order among each other, and what they were.
    private let kept: [Int: Int]

    init(_ former: ResultsGroups, _ groups: ResultsGroups, _ touch: ResultsTouch) {
        self.former = former
        self.groups = groups
        removed = touch.removed
        gone = Set(touch.removed.map { ObjectIdentifier($0) })
        changed = Set(touch.changed.map { ObjectIdentifier($0) })
        let known = groups.sections.enumerated().compactMap { place, section in
            former.number(of: section).map { (place, $0) }
        }
        kept = Dictionary(uniqueKeysWithValues: Self.longestRise(known))
    }

    /// As many of the pairs as possible whose second numbers rise.
    private static func longestRise(_ pairs: [(Int, Int)]) -> [(Int, Int)] {
        // The pair with which the best run of each length ends, and what stands before each pair.
        var ends: [Int] = []
        var before: [Int?] = []
        for (index, pair) in pairs.enumerated() {
            let length = ends.partitioningIndex { pairs[$0].1 >= pair.1 }
            before.append(length > 0 ? ends[length - 1] : nil)
            if length == ends.count { ends.append(index) } else { ends[length] = index }
        }
        var result: [(Int, Int)] = []
        var next = ends.last
        while let index = next {
            result.append(pairs[index])
            next = before[index]
        }
        return result
    }

    /// What a delegate is told.
    var event: ResultsEvent {
        var event = ResultsEvent()
        let stay = Set(kept.values)
        for (index, section) in former.sections.enumerated() where !stay.contains(index) {
            event.sections.append(.init(section: section, index: index, type: .delete))
        }
        for (index, section) in groups.sections.enumerated() where kept[index] == nil {
            event.sections.append(.init(section: section, index: index, type: .insert))
        }
        let old = former.paths
        let deleted = removed.map { ($0, old[ObjectIdentifier($0)] ?? []) }.sorted { $0.1 < $1.1 }
        event.objects = deleted.map { .init(object: $0, type: .delete, indexPath: $1) }
        addComing(old, &event)
        return event
    }

    /// Adds insertions, then moves, then updates.
    private func addComing(_ old: [ObjectIdentifier: IndexPath], _ event: inout ResultsEvent) {
        var moves: [ResultsEvent.ObjectChange] = []
        var updates: [ResultsEvent.ObjectChange] = []
        for (number, objects) in groups.members.enumerated() {
            let inPlace = inPlace(number)
            for (item, object) in objects.enumerated() {
                let identifier = ObjectIdentifier(object)
                let path = IndexPath(item: item, section: number)
                guard let from = old[identifier] else {
                    event.objects.append(.init(object: object, type: .insert, newIndexPath: path))
                    continue
                }
                if inPlace.contains(identifier) {
                    updates.append(.init(object: object, type: .update, indexPath: from))
                } else if kept[number] == nil || changed.contains(identifier) {
                    moves.append(
                        .init(object: object, type: .move, indexPath: from, newIndexPath: path))
                }
            }
        }
        event.objects += moves + updates
    }

    /// The changed objects of a section that have as many untouched ones before them as they had.
    private func inPlace(_ number: Int) -> Set<ObjectIdentifier> {
        guard let formerNumber = kept[number] else { return [] }
        var ranks: [ObjectIdentifier: (untouched: Int, place: Int)] = [:]
        var untouched = 0
        for (place, object) in former.members[formerNumber].enumerated() {
            let identifier = ObjectIdentifier(object)
            if changed.contains(identifier) {
                ranks[identifier] = (untouched, place)
            } else if !gone.contains(identifier) {
                untouched += 1
            }
        }
        var result: Set<ObjectIdentifier> = []
        var last = -1
        let known = Set(former.members[formerNumber].map { ObjectIdentifier($0) })
        untouched = 0
        for object in groups.members[number] {
            let identifier = ObjectIdentifier(object)
            guard changed.contains(identifier) else {
                if known.contains(identifier) { untouched += 1 }
                continue
            }
            guard let rank = ranks[identifier], rank.untouched == untouched, rank.place > last
            else { continue }
            last = rank.place
            result.insert(identifier)
        }
        return result
    }
}
