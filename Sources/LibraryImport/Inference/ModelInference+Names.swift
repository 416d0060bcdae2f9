// SPDX-License-Identifier: Apache-2.0

extension ModelInference {
    /// Gives every property its name: first those that the mapping demands, then attributes,
    /// to-one relationships, their inverses and many-to-many ends, each in the order of the data.
    ///
    /// - Throws: ``ImportError/Code/ambiguousModel`` for two columns that would be one property.
    mutating func nameProperties(_ survey: LibrarySurvey) throws(ImportError) {
        var registry = NameRegistry(entityCount: drafts.count)
        for index in drafts.indices where !drafts[index].isLeftOut {
            try claimMappedNames(index, &registry)
        }
        for isAttribute in [true, false] {
            try forEachColumn { (inference, index, column) throws(ImportError) in
                try inference.nameProperty(index, column, isAttribute, survey, &registry)
            }
        }
        try forEachColumn { (inference, index, column) throws(ImportError) in
            inference.nameInverse(index, column, &registry)
        }
        for index in drafts.indices where drafts[index].links != nil {
            nameLinks(index, &registry)
        }
    }

    private mutating func forEachColumn(
        _ body: (inout ModelInference, _ index: Int, _ column: Int) throws(ImportError) -> Void
    ) throws(ImportError) {
        for index in drafts.indices where drafts[index].isEntity {
            for column in drafts[index].columns.indices { try body(&self, index, column) }
        }
    }

    private mutating func claimMappedNames(
        _ index: Int, _ registry: inout NameRegistry
    ) throws(ImportError) {
        let draft = drafts[index]
        let path = "entities.\(draft.sourceName)"
        if let links = draft.links {
            for end in [links.first, links.second] {
                guard let property = end.property else { continue }
                let column = draft.columns[end.column].name
                let place = "\(path).manyToMany.\(column).property"
                try claim(property, in: end.destination, place, &registry)
            }
            return
        }
        for column in draft.columns.indices where draft.roles[column] != .ignored {
            let name = draft.columns[column].name
            let relationship = draft.mapping.relationships[name]
            if let property = relationship?.name ?? draft.mapping.attributes[name]?.name {
                let kind = relationship == nil ? "attributes" : "relationships"
                try claim(property, in: index, "\(path).\(kind).\(name).name", &registry)
                drafts[index].propertyNames[column] = property
            }
            if let inverse = relationship?.inverse, let end = draft.destination(of: column) {
                let place = "\(path).relationships.\(name).inverse"
                try claim(inverse, in: end, place, &registry)
                drafts[index].inverseNames[column] = inverse
            }
        }
    }

    private func claim(
        _ name: String, in entity: Int, _ path: String, _ registry: inout NameRegistry
    ) throws(ImportError) {
        if !registry.claim(name, in: entity) {
            throw bad(path, "\(drafts[entity].name) already has a property '\(name)'")
        }
    }

    private mutating func nameProperty(
        _ index: Int, _ column: Int, _ isAttribute: Bool, _ survey: LibrarySurvey,
        _ registry: inout NameRegistry
    ) throws(ImportError) {
        let draft = drafts[index]
        guard draft.propertyNames[column] == nil, draft.roles[column] != .ignored,
            isAttribute == (draft.roles[column] == .attribute)
        else { return }
        let stored =
            isAttribute
            ? storedAttribute(column, of: draft) : storedRelationship(column, of: draft)
        var words = NameWords(draft.columns[column].name)
        if case .toOne(let destination) = draft.roles[column] {
            let short = words.withoutKeySuffix
            // `albumid` and `ISBN` have no suffix to drop, so the destination lends its name.
            let isOther =
                short == words && draft.mapping.relationships[draft.columns[column].name] == nil
            words = isOther ? KeyName.singular(NameWords(drafts[destination].name)) : short
        }
        let name = stored ?? PropertyName.make(words, entity: draft.name)
        // A number by the order of the columns would be another one in a file with others.
        if !registry.isFree(name, in: index),
            let other = draft.column(of: name, isAttribute: isAttribute)
        {
            throw sameProperty(name, other, column, of: index, survey)
        }
        drafts[index].propertyNames[column] = registry.take([name], in: index)
    }

    private func sameProperty(
        _ name: String, _ other: Int, _ column: Int, of index: Int, _ survey: LibrarySurvey
    ) -> ImportError {
        let draft = drafts[index]
        let columns = [other, column].map { "'\(draft.columns[$0].name.shortened())'" }
        return ImportError(
            .ambiguousModel, file: survey.file(of: TableIndex(index)) ?? mapping.file,
            message: "columns \(columns.joined(separator: " and ")) of \(draft.sourceName) would "
                + "both be property \(name.shortened()); give each its \"name\" in a mapping file")
    }

    private mutating func nameInverse(
        _ index: Int, _ column: Int, _ registry: inout NameRegistry
    ) {
        let draft = drafts[index]
        guard let destination = draft.destination(of: column), draft.inverseNames[column] == nil,
            let property = draft.propertyNames[column]
        else { return }
        let plural = PropertyName.plural(ofEntity: draft.name, in: drafts[destination].name)
        let qualified = plural + "As" + property.prefix(1).uppercased() + property.dropFirst()
        let target = KeyName.singular(NameWords(drafts[destination].name)).lowerCamel
        let siblings = draft.columns.indices.filter { draft.destination(of: $0) == destination }
        // Of two references to one entity, the one named after the entity has the plain inverse.
        let isPlain = siblings.count == 1 || property == target
        let stored = store[draft.name]?.relationships[property]?.inverse
        let candidates = [stored, isPlain ? plural : nil, qualified].compactMap { $0 }
        drafts[index].inverseNames[column] = registry.take(candidates, in: destination)
    }

    private mutating func nameLinks(_ index: Int, _ registry: inout NameRegistry) {
        guard var links = drafts[index].links else { return }
        let (first, second) = (links.first, links.second)
        links.first.property = linkName(index, from: first, to: second, &registry)
        links.second.property = linkName(index, from: second, to: first, &registry)
        drafts[index].links = links
    }

    private func linkName(
        _ index: Int, from end: EntityDraft.LinkEnd, to other: EntityDraft.LinkEnd,
        _ registry: inout NameRegistry
    ) -> String {
        if let property = end.property { return property }
        let owner = drafts[end.destination].name
        // In a table that links an entity with itself only the columns distinguish the ends.
        let isSelf = end.destination == other.destination
        let column = NameWords(drafts[index].columns[other.column].name).withoutKeySuffix
        let target = isSelf ? column.upperCamel : drafts[other.destination].name
        let plural = PropertyName.plural(ofEntity: target, in: owner)
        return registry.take([plural, plural + "Via" + drafts[index].name], in: end.destination)
    }
}

extension EntityDraft {
    /// The column that is a property of a name, for another attribute or another relationship.
    ///
    /// A relationship may have to give way to an attribute: attributes are named first, in
    /// whatever order the columns come.
    fileprivate func column(of name: String, isAttribute: Bool) -> Int? {
        columns.indices.first {
            propertyNames[$0] == name && (isAttribute || roles[$0] != .attribute)
        }
    }

    /// The destination of a column that is a relationship.
    func destination(of column: Int) -> Int? {
        switch roles[column] {
        case .toOne(let destination), .toMany(let destination): destination
        default: nil
        }
    }
}
