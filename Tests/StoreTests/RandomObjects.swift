// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing
import _TestSupport

@testable import Store

/// The objects that a file of a random model should have, kept in plain dictionaries.
struct RandomObjects {
    struct Object {
        /// The identity of the kind.
        let kind: Int
        /// By the identities of stored fields.
        var values: [Int: Value] = [:]
        /// By the identities of relationships, in their order.
        var links: [Int: [ObjectKey]] = [:]
    }

    private(set) var objects: [ObjectKey: Object] = [:]

    /// The kinds that have objects.
    var used: Set<Int> { Set(objects.values.map(\.kind)) }

    /// Migrates as the rules say.
    mutating func migrate(from former: RandomModel, to model: RandomModel) {
        objects = objects.filter { model.index($0.value.kind) != nil }
        for (key, old) in objects {
            var object = Object(kind: old.kind)
            let before = former.fields(of: old.kind)
            for field in model.fields(of: old.kind) where !field.attribute.isTransient {
                let source = before.first { $0.id == field.id }?.attribute
                guard let source, !source.isTransient, let value = old.values[field.id] else {
                    object.values[field.id] = field.attribute.defaultValue
                    continue
                }
                let isFilled = value.isNull && source.isOptional && !field.attribute.isOptional
                object.values[field.id] = isFilled ? field.attribute.defaultValue : value
            }
            for link in model.links(of: old.kind) {
                let kept = old.links[link.id, default: []].filter { objects[$0] != nil }
                let wasOrdered = former.link(link.id)?.relationship.isOrdered == true
                object.links[link.id] =
                    wasOrdered && link.relationship.isOrdered ? kept : kept.sorted()
            }
            objects[key] = object
        }
    }
}

extension RandomObjects {
    private struct Addition {
        let owner: ObjectKey
        let destination: ObjectKey
        let link: Int
    }

    /// Inserts objects, and links that both of their ends have room for.
    mutating func insert(
        _ count: Int, into store: Store, _ model: RandomModel, _ random: inout SeededGenerator
    ) throws {
        let concrete = model.kinds.filter { !$0.isAbstract }
        guard !concrete.isEmpty else { return }
        var new: [ObjectKey] = []
        for _ in 0..<count {
            let kind = random.pick(concrete)
            let table = try store.table(kind.name)
            let key = ObjectKey(
                entity: table.number, row: try store.reserveRow(in: table).row)
            var object = Object(kind: kind.id)
            for field in model.fields(of: kind.id) where !field.attribute.isTransient {
                let isNull = field.attribute.isOptional && random.chance(0.3)
                object.values[field.id] =
                    isNull ? .null : RandomValue.make(field.attribute.type, &random)
            }
            for link in model.links(of: kind.id) { object.links[link.id] = [] }
            objects[key] = object
            new.append(key)
        }
        var additions: [Addition] = []
        for key in new {
            for link in model.links(of: objects[key]?.kind ?? 0) {
                for _ in 0..<2 { add(link, key, model, Set(new), &additions, &random) }
            }
        }
        try write(new.sorted(), additions, to: store, model)
        for (key, object) in objects {
            for link in model.links(of: object.kind) where !link.relationship.isOrdered {
                objects[key]?.links[link.id]?.sort()
            }
        }
    }

    private mutating func add(
        _ link: RandomModel.Link, _ owner: ObjectKey, _ model: RandomModel, _ new: Set<ObjectKey>,
        _ additions: inout [Addition], _ random: inout SeededGenerator
    ) {
        let heirs = Set(model.heirs(of: link.destination))
        let candidates = objects.keys.filter { heirs.contains(objects[$0]?.kind ?? 0) }
        guard let other = candidates.sorted().randomElement(using: &random), other != owner,
            hasRoom(owner, link, other, new)
        else { return }
        let inverse = link.inverse.flatMap { model.link($0) }
        if let inverse, !hasRoom(other, inverse, owner, new) { return }
        for (from, side, to) in [(owner, link, other), (other, inverse, owner)] {
            guard let side else { continue }
            objects[from]?.links[side.id]?.append(to)
            if side.relationship.isToMany {
                additions.append(Addition(owner: from, destination: to, link: side.id))
            }
        }
    }

    /// Whether an object can get one more destination; the records of others are written already.
    private func hasRoom(
        _ owner: ObjectKey, _ link: RandomModel.Link, _ other: ObjectKey, _ new: Set<ObjectKey>
    ) -> Bool {
        guard let known = objects[owner]?.links[link.id] else { return false }
        return link.relationship.isToMany
            ? !known.contains(other) : known.isEmpty && new.contains(owner)
    }

    private func write(
        _ new: [ObjectKey], _ additions: [Addition], to store: Store, _ model: RandomModel
    ) throws {
        let names = model.names
        try store.write { save in
            for key in new {
                guard let object = objects[key] else { continue }
                try save.insert(key, slots(of: object, model))
            }
            for addition in additions {
                let ordinal = try #require(store.ordinal(of: addition.owner.entity))
                let name = try #require(names[addition.link])
                let table = try #require(store.tables[ordinal].relationship(named: name))
                save.link(addition.owner, to: addition.destination, table)
            }
        }
    }

    /// The values of an object's record by the names of a model.
    private func slots(of object: Object, _ model: RandomModel) -> [String: Value] {
        var values: [String: Value] = [:]
        for field in model.fields(of: object.kind) where !field.attribute.isTransient {
            values[field.attribute.name] = object.values[field.id]
        }
        for link in model.links(of: object.kind) where !link.relationship.isToMany {
            let destination = object.links[link.id]?.first
            values[link.relationship.name] = destination.map { .objectID($0) } ?? .null
        }
        return values
    }

    /// Compares a file with the objects.
    func check(_ store: Store, _ model: RandomModel, _ comment: Comment) throws {
        let snapshot = try store.makeSnapshot()
        var count = 0
        for kind in model.kinds {
            let table = try store.table(kind.name)
            for (key, values) in try snapshot.objects(kind.name) {
                count += 1
                let object = try #require(objects[key], comment)
                #expect(object.kind == kind.id, comment)
                #expect(values == slots(of: object, model), comment)
                for link in model.links(of: kind.id) where link.relationship.isToMany {
                    let relationship = try #require(
                        table.relationship(named: link.relationship.name), comment)
                    let found = try snapshot.destinations(of: key, relationship)
                    #expect(Array(found) == object.links[link.id], comment)
                }
            }
        }
        #expect(count == objects.count, comment)
    }
}
