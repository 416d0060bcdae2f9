// SPDX-License-Identifier: Apache-2.0

import Lode

/// `lode inspect`: the model, the counts and the sizes of a store.
struct InspectCommand {
    private let path: String
    private let verifies: Bool

    init(_ arguments: [String]) throws {
        let parsed = try ParsedArguments(
            arguments, command: "inspect", options: [], flags: ["verify"])
        try parsed.expect("STORE")
        path = parsed.positional[0]
        verifies = parsed.has("verify")
    }

    func run(_ output: ToolOutput) throws -> Int32 {
        let store = try ToolStore(path: path, verifies: verifies)
        let entities = store.model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
        let counts = try entities.map(store.count)
        let statistics = try store.persistentStore.statistics()
        output.text(path)
        var facts = [
            ["size", "\(statistics.fileSizeBytes.grouped) bytes"],
            ["identity", store.persistentStore.identifier ?? ""],
            ["entities", entities.count.grouped],
            ["objects", counts.reduce(0, +).grouped],
        ]
        if verifies {
            facts.append(["verified", "all pages, checksums, indexes and links"])
            facts.append(["dangling", try dangling(store)])
        }
        output.write(TextTable.aligned(facts))
        for (entity, count) in zip(entities, counts) {
            output.line()
            output.text("\(title(entity))  \(count.counted("object"))")
            output.write(TextTable.aligned(rows(of: entity)))
        }
        try printComponents(of: store, output)
        output.line()
        output.write(SizeTable.text(statistics))
        return 0
    }

    /// What there is of links to objects that are gone.
    private func dangling(_ store: ToolStore) throws -> String {
        let links = try store.persistentStore.danglingLinks()
        guard let first = links.first else { return "no links" }
        return "\(links.count.counted("link")), the first: \(first.relationshipName) of "
            + "\(first.owner.absoluteString) leads to \(first.destination.absoluteString), which "
            + "is gone"
    }

    /// The types of value components; nothing for a file that has none.
    private func printComponents(of store: ToolStore, _ output: ToolOutput) throws {
        let types = try store.persistentStore.componentStatistics()
        guard !types.isEmpty else { return }
        output.line()
        output.write(
            TextTable.table(
                header: ["component", "fields", "values", "chunks", "bytes"],
                rows: types.map {
                    [
                        $0.name, $0.isCoded ? "Codable" : $0.fields, $0.values.grouped,
                        $0.chunks.grouped, $0.bytes.grouped,
                    ]
                }, isNumber: [false, false, true, true, true]))
    }

    private func title(_ entity: NSEntityDescription) -> String {
        var text = entity.name ?? ""
        if let parent = entity.superentity?.name { text += ": \(parent)" }
        if entity.isAbstract { text += " (abstract)" }
        return text
    }

    private func rows(of entity: NSEntityDescription) -> [[String]] {
        var rows: [[String]] = []
        for property in entity.properties {
            if let attribute = property as? NSAttributeDescription {
                rows.append([
                    attribute.name, ValueText.typeName(attribute.attributeType),
                    traits(attribute),
                ])
            } else if let relationship = property as? NSRelationshipDescription {
                rows.append(row(relationship))
            }
        }
        for constraint in entity.uniquenessConstraints {
            let names = constraint.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" }
            rows.append(["unique", names.joined(separator: ", ")])
        }
        for index in entity.indexes {
            let names = index.elements.map { element in
                element.propertyName + (element.isAscending ? "" : " descending")
            }
            let condition = index.partialIndexPredicate.map { ", where \($0)" } ?? ""
            rows.append(["index", names.joined(separator: ", "), index.name + condition])
        }
        return rows
    }

    private func row(_ relationship: NSRelationshipDescription) -> [String] {
        let arrow = relationship.isToMany ? "->>" : "->"
        var text = traits(relationship)
        if let inverse = relationship.inverseRelationship?.name {
            text += (text.isEmpty ? "" : ", ") + "inverse \(inverse)"
        }
        let destination = relationship.destinationEntity?.name ?? "?"
        return [relationship.name, "\(arrow) \(destination)", text]
    }

    private func traits(_ property: NSPropertyDescription) -> String {
        var traits: [String] = []
        let isToMany = (property as? NSRelationshipDescription)?.isToMany == true
        if property.isOptional, !isToMany { traits.append("optional") }
        if isToMany, (property as? NSRelationshipDescription)?.isOrdered == true {
            traits.append("ordered")
        }
        if property.isTransient { traits.append("transient") }
        return traits.joined(separator: ", ")
    }
}
