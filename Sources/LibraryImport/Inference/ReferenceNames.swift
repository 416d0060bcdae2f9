// SPDX-License-Identifier: Apache-2.0

/// The names of columns that refer to an entity, looked up for each column of each table.
struct ReferenceNames {
    private var keys: [String: [Int]] = [:]
    private var collections: [String: [Int]] = [:]

    /// Takes the names of the entities that have a key.
    init(_ drafts: [EntityDraft]) {
        for (index, draft) in drafts.enumerated() where !draft.isLeftOut {
            guard let key = draft.keyColumn else { continue }
            for name in ReferenceNames.keyNames(of: draft, key) {
                keys[name, default: []] += [index]
            }
            for name in ReferenceNames.collectionNames(of: draft) {
                collections[name, default: []] += [index]
            }
        }
    }

    /// The entities whose key a column of a name holds, in the order of the data.
    ///
    /// - Parameter name: The words of the column's name, joined.
    func entities(keyedBy name: String) -> [Int] { keys[name] ?? [] }

    /// The entities whose keys a column of a name lists, in the order of the data.
    func entities(collectedAs name: String) -> [Int] { collections[name] ?? [] }

    private static func keyNames(of draft: EntityDraft, _ key: Int) -> Set<String> {
        var names = Set(KeyName.names(ofKeyTo: draft.sourceName))
        names.formUnion(KeyName.names(ofKeyTo: draft.name))
        let own = NameWords(draft.columns[key].name).joined
        if !["id", "pk", "key", "code", "name"].contains(own) { names.insert(own) }
        return names
    }

    private static func collectionNames(of draft: EntityDraft) -> Set<String> {
        let singular = KeyName.singular(NameWords(draft.sourceName))
        let plural = PropertyName.plural(ofEntity: singular.upperCamel, in: draft.name)
        return [plural.lowercased(), NameWords(draft.sourceName).joined]
    }
}
