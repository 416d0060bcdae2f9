// SPDX-License-Identifier: Apache-2.0

import Schema

/// Infers a model from a survey and a mapping.
///
/// - An entity's key is the column that the mapping names, or `<Entity>Id`, `id` or `pk` if most
///   rows have a distinct value there. Rows without a key are rejected later. In a store that
///   exists a column that it keeps unique comes before all others.
/// - In a store that exists a column is the property of its name, whatever is said below.
/// - A column named like another entity's key is a to-one relationship to it, and one named like
///   another entity with arrays of its keys is a many-to-many relationship.
///   The other entity may be one that only the store has.
/// - A table of two such columns and nothing else is a many-to-many relationship.
/// - Everything else is an attribute, see ``ColumnType``.
struct ModelInference {
    var drafts: [EntityDraft]
    var notes: [String] = []
    let mapping: ImportMapping
    /// The entities of a store that exists, by their names.
    let store: [String: StoredEntity]

    /// Infers a model.
    /// - Parameter store: The entities of a store that exists, by their names.
    /// - Throws: ``ImportError/Code/badMapping`` when the mapping does not fit the data,
    ///   ``ImportError/Code/ambiguousModel`` when the data alone does not determine the model.
    static func infer(
        _ survey: LibrarySurvey, mapping: ImportMapping? = nil,
        store: [String: StoredEntity] = [:]
    ) throws(ImportError) -> InferredModel {
        let mapping = mapping ?? ImportMapping()
        var inference = ModelInference(survey, mapping, store)
        try inference.checkMappedNames()
        try inference.checkEntityNames(survey)
        inference.addStoredEntities()
        try inference.chooseKeys()
        try inference.chooseRoles()
        try inference.findLinkTables()
        inference.leaveOutUnusedEntities()
        try inference.nameProperties(survey)
        try inference.checkNameLengths(survey)
        return inference.assemble()
    }

    private init(
        _ survey: LibrarySurvey, _ mapping: ImportMapping, _ store: [String: StoredEntity]
    ) {
        self.mapping = mapping
        self.store = store
        drafts = survey.entities.map {
            EntityDraft($0, mapping.entities[$0.sourceName] ?? EntityMapping())
        }
        for draft in drafts where draft.isLeftOut && !draft.mapping.isIgnored {
            notes.append("\(draft.sourceName) has no values and is left out")
        }
    }

    private func checkEntityNames(_ survey: LibrarySurvey) throws(ImportError) {
        var known: [String: Int] = [:]
        for (index, draft) in drafts.enumerated() where !draft.isLeftOut {
            guard let found = known.updateValue(index, forKey: draft.name) else { continue }
            let other = drafts[found]
            throw ImportError(
                .ambiguousModel, file: survey.file(of: TableIndex(index)) ?? mapping.file,
                message: "'\(other.sourceName)' and '\(draft.sourceName)' would both be entity "
                    + "\(draft.name); give one another \"name\" in a mapping file")
        }
    }

    private mutating func chooseKeys() throws(ImportError) {
        for index in drafts.indices where drafts[index].isInData {
            let draft = drafts[index]
            if let name = draft.mapping.key {
                let path = "entities.\(draft.sourceName).key"
                let column = try self.column(name, in: draft, path)
                if draft.roles[column] == .ignored {
                    throw bad(path, "column '\(name)' is ignored or empty; choose another key")
                }
                drafts[index].keyColumn = column
            } else {
                drafts[index].keyColumn = likelyKey(of: draft)
            }
            if let column = drafts[index].keyColumn {
                let mapped = draft.mapping.attributes[draft.columns[column].name]?.type
                drafts[index].keyType = mapped ?? ColumnType.key(draft.columns[column])
            }
        }
    }

    private func likelyKey(of draft: EntityDraft) -> Int? {
        let named = draft.columns.indices.filter {
            draft.roles[$0] == .attribute
                && draft.mapping.relationships[draft.columns[$0].name] == nil
        }
        func rank(_ column: Int) -> Int? {
            KeyName.rank(draft.columns[column].name, ofEntity: draft.sourceName)
        }
        // What the store knows its objects by, however few rows there are to tell from this time.
        if let unique = store[draft.name]?.unique {
            let known = named.filter { unique.contains(attributeName($0, of: draft)) }
            let last = Int.max
            if let best = known.min(by: { (rank($0) ?? last, $0) < (rank($1) ?? last, $1) }) {
                return best
            }
        }
        let ranked = named.compactMap { column in rank(column).map { (rank: $0, column: column) } }
        let usable = ranked.filter { isMostlyDistinct(draft, column: $0.column) }
        return usable.min { ($0.rank, $0.column) < ($1.rank, $1.column) }?.column
    }

    /// The name of a column as an attribute.
    private func attributeName(_ column: Int, of draft: EntityDraft) -> String {
        let name = draft.columns[column].name
        return draft.mapping.attributes[name]?.name ?? storedAttribute(column, of: draft)
            ?? PropertyName.make(NameWords(name), entity: draft.name)
    }

    /// Whether most rows have a value that no row before has: a few bad rows do not cost the key.
    private func isMostlyDistinct(_ draft: EntityDraft, column: Int) -> Bool {
        let statistics = draft.columns[column]
        guard let keys = statistics.keys else { return false }
        let scalars =
            statistics.count(.integer) + statistics.count(.uuid) + statistics.count(.text)
        return (scalars - keys.duplicates) * 2 > draft.statistics.rowCount
    }
}
