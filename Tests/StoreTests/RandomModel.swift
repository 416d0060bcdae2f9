// SPDX-License-Identifier: Apache-2.0

import Schema
import _TestSupport

/// A model whose parts keep their identities while their names and properties change.
///
/// Their first names are their renaming identifiers, once they have other ones.
struct RandomModel {
    struct Field {
        let id: Int
        var attribute: Attribute
    }

    struct Link {
        let id: Int
        var relationship: Relationship
        /// The identities of the destination and of the inverse.
        var destination: Int
        var inverse: Int?
    }

    struct Filter {
        var name: String
        /// The identities of properties.
        var properties: [Int]
        var isUnique = false
        var descends = false
        var isPartial = false
    }

    struct Kind {
        let id: Int
        var name: String
        /// The first name, once there was another one.
        var identifier: String?
        let parent: Int?
        var isAbstract = false
        var fields: [Field] = []
        var links: [Link] = []
        var filters: [Filter] = []
    }

    var kinds: [Kind] = []
    private(set) var lastID = 0
    /// The last identity of a part that files have: a new part must not swap its name with one that
    /// goes in the same step, as it would come from that one by the name.
    private var settledID = 0

    mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    /// Notes that a file has all parts.
    mutating func settle() { settledID = lastID }

    func isSettled(_ id: Int) -> Bool { id <= settledID }

    func index(_ id: Int) -> Int? { kinds.firstIndex { $0.id == id } }

    /// A kind and its ancestors, the furthest one first.
    func line(_ id: Int) -> [Kind] {
        guard let index = index(id) else { return [] }
        return (kinds[index].parent.map { line($0) } ?? []) + [kinds[index]]
    }

    func isKind(_ id: Int, of ancestor: Int) -> Bool { line(id).contains { $0.id == ancestor } }

    func fields(of id: Int) -> [Field] { line(id).flatMap(\.fields) }

    func links(of id: Int) -> [Link] { line(id).flatMap(\.links) }

    func link(_ id: Int) -> Link? { kinds.lazy.flatMap(\.links).first { $0.id == id } }

    /// The kinds that objects may have where a kind is asked for.
    func heirs(of id: Int) -> [Int] { kinds.map(\.id).filter { isKind($0, of: id) } }

    var entities: [Entity] {
        kinds.map { kind in
            Entity(
                name: kind.name, isAbstract: kind.isAbstract,
                superentity: kind.parent.flatMap { names[$0] },
                attributes: fields(of: kind.id).map(\.attribute),
                relationships: links(of: kind.id).map(relationship),
                indexes: line(kind.id).flatMap(\.filters).map(index),
                renamingIdentifier: kind.identifier)
        }
    }

    /// The names of all parts by their identities.
    var names: [Int: String] {
        var names: [Int: String] = [:]
        for kind in kinds {
            names[kind.id] = kind.name
            for field in kind.fields { names[field.id] = field.attribute.name }
            for link in kind.links { names[link.id] = link.relationship.name }
        }
        return names
    }

    private func relationship(_ link: Link) -> Relationship {
        var relationship = link.relationship
        relationship.destination = names[link.destination] ?? ""
        relationship.inverse = link.inverse.flatMap { names[$0] }
        return relationship
    }

    private func index(_ filter: Filter) -> Index {
        let properties = filter.properties.compactMap { names[$0] }
        return Index(
            name: filter.name, properties: properties, isUnique: filter.isUnique,
            descending: filter.descends ? properties.map { _ in true } : [],
            condition: filter.isPartial ? .not(.isNull(properties[0])) : nil)
    }
}
