// SPDX-License-Identifier: Apache-2.0

extension ModelFile.Index {
    /// The indexes of an entity: those of the editor, and those of its older forms, `indexed` and
    /// `<compoundIndex>`.
    ///
    /// An index only makes fetches faster. Those over expressions or with an R-tree, which Lode
    /// does not have, are therefore left out, and so are those over to-many relationships
    /// and transient attributes.
    static func indexes(of entity: MarkupElement) throws(ModelFileError) -> [Self] {
        var result: [Self] = []
        for index in entity.children(named: "fetchIndex") {
            result.append(try Self(fetchIndex: index))
        }
        for list in entity.children(named: "compoundIndexes") {
            for index in list.children(named: "compoundIndex") {
                result.append(try Self(compoundIndex: index))
            }
        }
        let toMany = Set(
            try entity.names(of: "relationship") { (child) throws(ModelFileError) in
                try child.flag("toMany")
            })
        let transient = Set(
            try entity.names(of: "attribute") { (child) throws(ModelFileError) in
                try child.flag("transient")
            })
        for kind in ["attribute", "relationship"] {
            let names = try entity.names(of: kind) { (child) throws(ModelFileError) in
                try child.flag("indexed")
            }
            for name in names where !result.contains(where: { $0.name == name }) {
                result.append(
                    Self(
                        name: name, elements: [.init(property: name, isAscending: true)],
                        predicate: nil, line: entity.line))
            }
        }
        return result.filter { index in
            !index.elements.isEmpty
                && index.elements.allSatisfy {
                    !toMany.contains($0.property) && !transient.contains($0.property)
                }
        }
    }

    private init(fetchIndex element: MarkupElement) throws(ModelFileError) {
        name = try element.requiredText("name")
        predicate = element.text("partialIndexPredicate")
        line = element.line
        let children = element.children(named: "fetchIndexElement")
        let isOrdinary = children.allSatisfy { child in
            child.attributes["property"] != nil && (child.text("type") ?? "Binary") == "Binary"
        }
        guard isOrdinary else {
            elements = []
            return
        }
        var elements: [Element] = []
        for child in children {
            elements.append(
                Element(
                    property: try child.requiredText("property"),
                    isAscending: child.text("order") != "descending"))
        }
        self.elements = elements
    }

    private init(compoundIndex element: MarkupElement) throws(ModelFileError) {
        var elements: [Element] = []
        for child in element.children(named: "index") {
            elements.append(Element(property: try child.requiredText("value"), isAscending: true))
        }
        self.elements = elements
        predicate = nil
        line = element.line
        name = elements.map(\.property).joined(separator: "_")
    }
}

extension MarkupElement {
    /// The names of the children of a kind that satisfy a condition.
    fileprivate func names(
        of kind: String, where isWanted: (MarkupElement) throws(ModelFileError) -> Bool
    ) throws(ModelFileError) -> [String] {
        var result: [String] = []
        for child in children(named: kind) where try isWanted(child) {
            result.append(try child.requiredText("name"))
        }
        return result
    }
}
