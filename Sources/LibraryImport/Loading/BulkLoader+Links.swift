// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema

/// Links of many-to-many relationships.
extension BulkLoader {
    /// Makes the links of a batch of a table.
    func loadLinks(_ batch: [PendingRow], _ number: Int) throws {
        let link = model.manyToMany[number]
        var lookups = BatchLookups()
        for pending in batch where pending.rejection == nil {
            lookups.want(link.first.entity, pending.row.first, model)
            lookups.want(link.second.entity, pending.row.second, model)
        }
        try lookups.find(in: context)
        var pairs: [(first: NSManagedObject, second: NSManagedObject)] = []
        for pending in batch {
            report.links[number].read += 1
            if let rejection = try rejection(of: pending, link, lookups) {
                report.links[number].rejected += 1
                try reject(rejection)
            } else if let first = lookups.destination(link.first.entity, pending.row.first),
                let second = lookups.destination(link.second.entity, pending.row.second)
            {
                pairs.append((first, second))
            }
        }
        write(pairs, link, number)
    }

    private func rejection(
        of pending: PendingRow, _ link: InferredManyToMany, _ lookups: BatchLookups
    ) throws -> RejectedRow? {
        if let rejection = pending.rejection { return rejection }
        guard case .table(_, let firstColumn, let secondColumn) = link.origin else { return nil }
        for (column, entity, key) in [
            (firstColumn, link.first.entity, pending.row.first),
            (secondColumn, link.second.entity, pending.row.second),
        ] where lookups.destination(entity, key) == nil {
            return rejection(pending, link.name, lookups.dangling(column, key, entity))
        }
        return nil
    }

    /// Links from the end with more objects, whose sets are the smaller ones.
    private func write(
        _ pairs: [(first: NSManagedObject, second: NSManagedObject)], _ link: InferredManyToMany,
        _ number: Int
    ) {
        let firsts = Set(pairs.map { ObjectIdentifier($0.first) }).count
        let seconds = Set(pairs.map { ObjectIdentifier($0.second) }).count
        let isForward = firsts >= seconds
        let property = isForward ? link.first.property : link.second.property
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
            let count = add(added, to: property, of: owner)
            report.links[number].inserted += count
            report.links[number].unchanged += added.count - count
        }
    }

    /// Adds the missing ones of an array's links and returns their number.
    func addLinks(
        _ number: Int, from object: NSManagedObject, to members: [NSManagedObject]
    ) -> Int {
        let count = add(members, to: model.manyToMany[number].first.property, of: object)
        report.links[number].read += members.count
        report.links[number].inserted += count
        report.links[number].unchanged += members.count - count
        return count
    }

    private func add(
        _ members: [NSManagedObject], to property: String, of owner: NSManagedObject
    ) -> Int {
        guard !members.isEmpty else { return 0 }
        if let known = owner.value(forKey: property) as? NSOrderedSet {
            let all = NSOrderedSet(array: Array(known) + members)
            guard all.count > known.count else { return 0 }
            owner.setValue(all, forKey: property)
            return all.count - known.count
        }
        let known = owner.value(forKey: property) as? Set<NSManagedObject> ?? []
        let all = known.union(members)
        guard all.count > known.count else { return 0 }
        owner.setValue(all, forKey: property)
        return all.count - known.count
    }
}
