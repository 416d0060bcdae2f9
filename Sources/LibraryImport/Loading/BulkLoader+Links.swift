// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Schema

/// Links of many-to-many relationships.
extension BulkLoader {
    /// Makes the links of a batch of a table.
    func loadLinks(_ batch: [PendingRow], _ index: LinkIndex) throws {
        let ends = places[index]
        var lookups = BatchLookups(model, places)
        for pending in batch where pending.rejection == nil {
            lookups.want(ends.first.entity, pending.row.first)
            lookups.want(ends.second.entity, pending.row.second)
        }
        try lookups.find(in: context)
        var pairs: [(first: NSManagedObject, second: NSManagedObject)] = []
        for pending in batch {
            report[index].read += 1
            if let rejection = try rejection(of: pending, index, lookups) {
                report[index].rejected += 1
                try reject(rejection)
            } else if let first = lookups.destination(ends.first.entity, pending.row.first),
                let second = lookups.destination(ends.second.entity, pending.row.second)
            {
                pairs.append((first, second))
            }
        }
        write(pairs, index)
    }

    private func rejection(
        of pending: PendingRow, _ index: LinkIndex, _ lookups: BatchLookups
    ) throws -> RejectedRow? {
        if let rejection = pending.rejection { return rejection }
        let link = model[index]
        guard case .table(_, let firstColumn, let secondColumn) = link.origin else { return nil }
        for (column, entity, key) in [
            (firstColumn, places[index].first.entity, pending.row.first),
            (secondColumn, places[index].second.entity, pending.row.second),
        ] where lookups.destination(entity, key) == nil {
            return rejection(pending, link.name, lookups.dangling(column, key, entity))
        }
        return nil
    }

    /// Links from the end with more objects, whose sets are the smaller ones.
    private func write(
        _ pairs: [(first: NSManagedObject, second: NSManagedObject)], _ index: LinkIndex
    ) {
        let firsts = Set(pairs.map { ObjectIdentifier($0.first) }).count
        let seconds = Set(pairs.map { ObjectIdentifier($0.second) }).count
        let isForward = firsts >= seconds
        let place = isForward ? places[index].first.place : places[index].second.place
        var order: [NSManagedObject] = []
        var members: [ObjectIdentifier: [NSManagedObject]] = [:]
        for pair in pairs {
            let (owner, member) =
                isForward ? (pair.first, pair.second) : (pair.second, pair.first)
            if members[ObjectIdentifier(owner)] == nil { order.append(owner) }
            members[ObjectIdentifier(owner), default: []].append(member)
        }
        for owner in order {
            let added = members[ObjectIdentifier(owner)] ?? []
            let count = owner.addDestinations(added, at: place)
            report[index].inserted += count
            report[index].unchanged += added.count - count
        }
    }

    /// Makes the links of an object those of an array.
    func setLinks(
        _ index: LinkIndex, from object: NSManagedObject, to members: [NSManagedObject]
    ) {
        let place = places[index].first.place
        if !object.isInserted {
            report[index].removed += object.removeDestinations(besides: members, at: place)
        }
        let count = object.addDestinations(members, at: place)
        report[index].read += members.count
        report[index].inserted += count
        report[index].unchanged += members.count - count
    }
}
