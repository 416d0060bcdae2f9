// SPDX-License-Identifier: Apache-2.0

extension ModelInference {
    /// The most bytes of a name in a model.
    private static let longestName = 255

    /// Refuses names that no model may have, by the names of the data that they come from.
    func checkNameLengths(_ survey: LibrarySurvey) throws(ImportError) {
        for (index, draft) in drafts.enumerated() where !draft.isLeftOut {
            var names = [(draft.name, "the entity of '\(draft.sourceName.shortened())'")]
            for column in draft.columns.indices where draft.roles[column] != .ignored {
                let place = "column '\(draft.columns[column].name.shortened())'"
                if let name = draft.propertyNames[column] {
                    names.append((name, "the property of \(place)"))
                }
                if let name = draft.inverseNames[column] {
                    names.append((name, "the inverse of \(place)"))
                }
            }
            for end in [draft.links?.first, draft.links?.second] {
                guard let end, let name = end.property else { continue }
                let column = draft.columns[end.column].name.shortened()
                names.append((name, "the relationship of column '\(column)'"))
            }
            for (name, what) in names where name.utf8.count > ModelInference.longestName {
                throw tooLong(name, what, TableIndex(index), survey)
            }
        }
    }

    private func tooLong(
        _ name: String, _ what: String, _ table: TableIndex, _ survey: LibrarySurvey
    ) -> ImportError {
        ImportError(
            .nameTooLong, file: survey.file(of: table) ?? mapping.file,
            message: "\(what) would be named '\(name.shortened())', which has "
                + "\(name.utf8.count) bytes; a name has at most \(ModelInference.longestName): "
                + "choose a shorter one in a mapping file")
    }
}
