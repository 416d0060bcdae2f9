// SPDX-License-Identifier: Apache-2.0

extension ModelInference {
    /// The finished model.
    func assemble() -> InferredModel {
        let tables = drafts.filter(\.isInData)
        return InferredModel(
            entities: drafts.filter(\.isEntity).map(entity),
            manyToMany: arrayLinks() + tableLinks(),
            notes: notes,
            tableCount: tables.count,
            rowCount: tables.reduce(0) { $0 + $1.rowCount })
    }

    private func entity(_ draft: EntityDraft) -> InferredEntity {
        var entity = InferredEntity(
            name: draft.name, sourceName: draft.sourceName, rowCount: draft.rowCount)
        for column in draft.columns.indices {
            switch draft.roles[column] {
            case .attribute:
                if column == draft.keyColumn { entity.keyIndex = entity.attributes.count }
                entity.attributes.append(attribute(column, of: draft))
            case .toOne(let destination):
                entity.toOne.append(toOne(column, of: draft, to: drafts[destination]))
            case .ignored, .toMany: break
            }
        }
        return entity
    }

    private func attribute(_ column: Int, of draft: EntityDraft) -> InferredAttribute {
        let statistics = draft.columns[column]
        let mapped = draft.mapping.attributes[statistics.name]
        let isKey = column == draft.keyColumn
        let lacksValues = statistics.present < draft.statistics.rowCount
        return InferredAttribute(
            name: draft.propertyNames[column] ?? statistics.name, sourceName: statistics.name,
            type: isKey ? draft.keyType : mapped?.type ?? ColumnType.lossless(statistics),
            isOptional: !isKey && mapped?.isOptional ?? lacksValues,
            isUnique: isKey || mapped?.isUnique ?? false,
            isIndexed: isKey || mapped?.isIndexed ?? false)
    }

    private func toOne(
        _ column: Int, of draft: EntityDraft, to destination: EntityDraft
    ) -> InferredToOne {
        let statistics = draft.columns[column]
        let mapped = draft.mapping.relationships[statistics.name]?.isOptional
        return InferredToOne(
            name: draft.propertyNames[column] ?? statistics.name, sourceName: statistics.name,
            destination: destination.name,
            inverseName: draft.inverseNames[column] ?? draft.name,
            isOptional: mapped ?? (statistics.present < draft.statistics.rowCount))
    }

    private func arrayLinks() -> [InferredManyToMany] {
        var links: [InferredManyToMany] = []
        for draft in drafts where draft.isEntity {
            for column in draft.columns.indices {
                guard case .toMany(let destination) = draft.roles[column] else { continue }
                let name = draft.columns[column].name
                links.append(
                    InferredManyToMany(
                        origin: .column(sourceName: name),
                        first: .init(
                            entity: draft.name, property: draft.propertyNames[column] ?? name),
                        second: .init(
                            entity: drafts[destination].name,
                            property: draft.inverseNames[column] ?? draft.name),
                        rowCount: draft.columns[column].present))
            }
        }
        return links
    }

    private func tableLinks() -> [InferredManyToMany] {
        drafts.compactMap { draft in
            guard !draft.isLeftOut, let links = draft.links else { return nil }
            return InferredManyToMany(
                origin: .table(
                    sourceName: draft.sourceName,
                    firstColumn: draft.columns[links.first.column].name,
                    secondColumn: draft.columns[links.second.column].name),
                first: end(links.first), second: end(links.second), rowCount: draft.rowCount)
        }
    }

    private func end(_ end: EntityDraft.LinkEnd) -> InferredLinkEnd {
        InferredLinkEnd(entity: drafts[end.destination].name, property: end.property ?? "")
    }
}

extension EntityDraft {
    /// All rows, unusable ones included.
    var rowCount: Int { statistics.rowCount + statistics.problemCount }
}
