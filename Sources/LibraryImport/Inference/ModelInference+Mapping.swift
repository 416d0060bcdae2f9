// SPDX-License-Identifier: Apache-2.0

extension ModelInference {
    /// Refuses a mapping of entities and columns that the data does not have.
    func checkMappedNames() throws(ImportError) {
        for name in mapping.entities.keys.sorted() {
            guard let draft = drafts.first(where: { $0.sourceName == name }) else {
                // A top-level value that holds no rows is ignored before it becomes an entity.
                if mapping.entities[name]?.isIgnored == true { continue }
                let known = drafts.map(\.sourceName).joined(separator: ", ")
                throw bad("entities.\(name)", "the data has no such entity; it has \(known)")
            }
            try checkColumns(of: draft)
        }
    }

    private func checkColumns(of draft: EntityDraft) throws(ImportError) {
        let path = "entities.\(draft.sourceName)"
        for column in draft.mapping.ignoredColumns.sorted() {
            _ = try self.column(column, in: draft, "\(path).ignore")
        }
        for column in draft.mapping.attributes.keys.sorted() {
            _ = try self.column(column, in: draft, "\(path).attributes")
            if draft.mapping.relationships[column] != nil {
                throw bad(
                    "\(path).relationships.\(column)",
                    "the column is an attribute as well; remove one entry")
            }
        }
        for column in draft.mapping.relationships.keys.sorted() {
            _ = try self.column(column, in: draft, "\(path).relationships")
        }
    }

    /// The index of a column that a mapping names.
    func column(
        _ name: String, in draft: EntityDraft, _ path: String
    ) throws(ImportError) -> Int {
        if let column = draft.column(named: name) { return column }
        let known = draft.columns.map(\.name).joined(separator: ", ")
        throw bad(path, "\(draft.sourceName) has no column '\(name)'; it has \(known)")
    }

    /// The index of an entity that a mapping names as a destination.
    func destination(_ name: String, _ path: String) throws(ImportError) -> Int {
        let found =
            drafts.firstIndex { $0.sourceName == name && !$0.isLeftOut }
            ?? drafts.firstIndex { $0.name == name && !$0.isLeftOut }
        guard let found else {
            let known = drafts.filter { !$0.isLeftOut }.map(\.sourceName).joined(separator: ", ")
            throw bad(path, "there is no entity '\(name)'; there are \(known)")
        }
        if drafts[found].keyColumn == nil {
            throw bad(path, "'\(name)' has no key to refer to; name its \"key\"")
        }
        return found
    }

    /// An error in the mapping.
    func bad(_ path: String, _ message: String) -> ImportError {
        ImportError(.badMapping, file: mapping.file, message: "\(path): \(message)")
    }
}
