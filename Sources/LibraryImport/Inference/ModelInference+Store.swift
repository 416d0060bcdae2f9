// SPDX-License-Identifier: Apache-2.0

/// What a store that exists decides: its names, and the entities that only it has.
extension ModelInference {
    /// Adds the entities that the data may refer to without having rows of them.
    mutating func addStoredEntities() {
        // A file without rows does not stand in the way.
        let known = Set(drafts.filter { $0.rowCount > 0 }.map(\.name))
        for (name, entity) in store.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
            guard let key = entity.key(ofEntity: name) else { continue }
            drafts.append(EntityDraft(ofStore: name, key: key.name, key.type))
        }
    }

    /// Leaves out the entities of the store that the data does not refer to.
    mutating func leaveOutUnusedEntities() {
        var used: Set<Int> = []
        for draft in drafts where !draft.isLeftOut {
            used.formUnion(draft.columns.indices.compactMap { draft.destination(of: $0) })
            if let links = draft.links {
                used.formUnion([links.first.destination, links.second.destination])
            }
        }
        for index in drafts.indices where drafts[index].isOfStore && !used.contains(index) {
            drafts[index].isLeftOut = true
        }
    }

    /// The candidates for what a column refers to, after a look at the store.
    ///
    /// Rows of the data come before entities that only the store has; to these a table refers if it
    /// does so in the store, or if it can be no entity there.
    func destinations(_ candidates: [Int], of draft: EntityDraft) -> [Int] {
        let inData = candidates.filter { !drafts[$0].isOfStore }
        guard inData.isEmpty, let stored = store[draft.name] else {
            return inData.isEmpty ? candidates : inData
        }
        let reached = Set(stored.relationships.values.map(\.destination))
        return candidates.filter { reached.contains(drafts[$0].name) }
    }

    /// The attribute of the store that has a column's name.
    func storedAttribute(_ column: Int, of draft: EntityDraft) -> String? {
        guard let stored = store[draft.name] else { return nil }
        let name = draft.columns[column].name
        return [name, NameWords(name).lowerCamel].first { stored.attributes[$0] != nil }
    }

    /// What a column is that has the name of a relationship of the store, and values for it.
    func storedRole(of column: Int, in index: Int) -> EntityDraft.Role? {
        let draft = drafts[index]
        guard let stored = store[draft.name] else { return nil }
        for name in relationshipNames(column, of: draft) {
            guard let target = stored.relationships[name]?.destination,
                let destination = drafts.firstIndex(where: { $0.name == target && $0.isEntity }),
                drafts[destination].keyColumn != nil
            else { continue }
            let key = drafts[destination].keyType
            if ColumnType.canReferToMany(draft.columns[column], to: key) {
                return .toMany(destination)
            }
            if ColumnType.canRefer(draft.columns[column], to: key) { return .toOne(destination) }
        }
        return nil
    }

    /// The relationship of the store that has a column's name, without what makes it a key's.
    func storedRelationship(_ column: Int, of draft: EntityDraft) -> String? {
        guard let stored = store[draft.name], let destination = draft.destination(of: column)
        else { return nil }
        let target = drafts[destination].name
        let fitting = stored.relationships.filter { $0.value.destination == target }
        let names =
            relationshipNames(column, of: draft) + [KeyName.singular(NameWords(target)).lowerCamel]
        return names.first { fitting[$0] != nil }
    }

    /// The names of a relationship that a column says itself, the likeliest first.
    private func relationshipNames(_ column: Int, of draft: EntityDraft) -> [String] {
        let name = draft.columns[column].name
        let words = NameWords(name)
        return [name, words.lowerCamel, words.withoutKeySuffix.lowerCamel]
    }
}
