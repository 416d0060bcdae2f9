// SPDX-License-Identifier: Apache-2.0

extension ModelInference {
    /// Decides for each column between attribute and relationship.
    mutating func chooseRoles() throws(ImportError) {
        let names = ReferenceNames(drafts)
        for index in drafts.indices where drafts[index].isInData {
            for column in drafts[index].columns.indices
            where drafts[index].roles[column] == .attribute {
                drafts[index].roles[column] = try role(of: column, in: index, names)
            }
        }
    }

    private mutating func role(
        of column: Int, in index: Int, _ names: ReferenceNames
    ) throws(ImportError) -> EntityDraft.Role {
        let draft = drafts[index]
        let name = draft.columns[column].name
        if let relationship = draft.mapping.relationships[name] {
            return try mappedRole(relationship, of: column, in: index, names)
        }
        if draft.mapping.attributes[name] != nil || column == draft.keyColumn
            || storedAttribute(column, of: draft) != nil
        {
            return .attribute
        }
        if let role = storedRole(of: column, in: index) { return role }
        if let role = try inferredRole(of: column, in: index, names) { return role }
        noteAttribute(column, in: draft)
        return .attribute
    }

    private func mappedRole(
        _ relationship: RelationshipMapping, of column: Int, in index: Int,
        _ names: ReferenceNames
    ) throws(ImportError) -> EntityDraft.Role {
        let draft = drafts[index]
        let statistics = draft.columns[column]
        let path = "entities.\(draft.sourceName).relationships.\(statistics.name)"
        if column == draft.keyColumn {
            throw bad(path, "the column is the entity's key and cannot be a relationship")
        }
        guard let name = relationship.destination else {
            if let role = try inferredRole(of: column, in: index, names) { return role }
            throw bad(path, "the column's name does not tell the \"destination\"; add it")
        }
        let destination = try destination(name, "\(path).destination")
        let key = drafts[destination].keyType
        if ColumnType.canReferToMany(statistics, to: key) { return .toMany(destination) }
        if ColumnType.canRefer(statistics, to: key) { return .toOne(destination) }
        throw bad(path, "the column's values are no keys of \(name), whose key is \(key)")
    }

    private func inferredRole(
        of column: Int, in index: Int, _ names: ReferenceNames
    ) throws(ImportError) -> EntityDraft.Role? {
        let statistics = drafts[index].columns[column]
        let joined = NameWords(statistics.name).joined
        let toOne = names.entities(keyedBy: joined).filter {
            $0 != index && ColumnType.canRefer(statistics, to: drafts[$0].keyType)
        }
        if let only = try single(toOne, column: statistics.name, in: index) { return .toOne(only) }
        let toMany = names.entities(collectedAs: joined).filter {
            ColumnType.canReferToMany(statistics, to: drafts[$0].keyType)
        }
        return try single(toMany, column: statistics.name, in: index).map { .toMany($0) }
    }

    private func single(
        _ candidates: [Int], column: String, in index: Int
    ) throws(ImportError) -> Int? {
        let candidates = destinations(candidates, of: drafts[index])
        if candidates.count < 2 { return candidates.first }
        let names = candidates.map { drafts[$0].sourceName }.joined(separator: " or ")
        throw ImportError(
            .ambiguousModel, file: mapping.file,
            message: "\(drafts[index].sourceName).\(column) may refer to \(names); "
                + "choose in a mapping file, under \"relationships\"")
    }

    private mutating func noteAttribute(_ column: Int, in draft: EntityDraft) {
        let statistics = draft.columns[column]
        if let note = ColumnType.mixtureNote(statistics, entity: draft.name) { notes.append(note) }
        let words = NameWords(statistics.name).words
        if words.count > 1, words.last?.lowercased() == "id", statistics.count(.integer) > 0 {
            notes.append(
                "\(draft.name).\(statistics.name) looks like a reference, but no entity has that "
                    + "key; map its destination under \"relationships\"")
        }
        let arrays = statistics.count(.integerArray) + statistics.count(.textArray)
        if arrays > 0, arrays + statistics.count(.emptyArray) == statistics.present {
            notes.append(
                "\(draft.name).\(statistics.name) has arrays, kept as JSON text; if they hold "
                    + "keys, map their destination under \"relationships\"")
        }
    }
}
