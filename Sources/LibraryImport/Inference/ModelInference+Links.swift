// SPDX-License-Identifier: Apache-2.0

extension ModelInference {
    /// Turns tables of two references and nothing else into many-to-many relationships.
    mutating func findLinkTables() throws(ImportError) {
        for index in drafts.indices where !drafts[index].isLeftOut {
            switch drafts[index].mapping.links {
            case .never: break
            case .automatic: findLinks(index)
            case .ends(let first, let second): try mapLinks(index, first, second)
            }
        }
    }

    private mutating func findLinks(_ index: Int) {
        let draft = drafts[index]
        let used = draft.columns.indices.filter { draft.roles[$0] != .ignored }
        guard used.count == 2, draft.keyColumn == nil, draft.mapping.relationships.isEmpty,
            case .toOne(let first) = draft.roles[used[0]],
            case .toOne(let second) = draft.roles[used[1]]
        else { return }
        drafts[index].links = (
            EntityDraft.LinkEnd(column: used[0], destination: first),
            EntityDraft.LinkEnd(column: used[1], destination: second)
        )
    }

    private mutating func mapLinks(
        _ index: Int, _ first: LinkEndMapping, _ second: LinkEndMapping
    ) throws(ImportError) {
        drafts[index].links = (
            try linkEnd(first, in: drafts[index]), try linkEnd(second, in: drafts[index])
        )
    }

    private func linkEnd(
        _ end: LinkEndMapping, in draft: EntityDraft
    ) throws(ImportError) -> EntityDraft.LinkEnd {
        let path = "entities.\(draft.sourceName).manyToMany.\(end.column)"
        let column = try column(end.column, in: draft, path)
        var destination: Int?
        if let name = end.destination {
            destination = try self.destination(name, "\(path).destination")
        } else if case .toOne(let inferred) = draft.roles[column] {
            destination = inferred
        }
        guard let destination else {
            throw bad(path, "the column's name does not tell the \"destination\"; add it")
        }
        guard ColumnType.canRefer(draft.columns[column], to: drafts[destination].keyType) else {
            throw bad(path, "the column's values are no keys of \(drafts[destination].sourceName)")
        }
        return .init(column: column, destination: destination, property: end.property)
    }
}
