// SPDX-License-Identifier: Apache-2.0

extension ModelFile {
    /// Reads a model from the bytes of a `contents` file.
    ///
    /// Elements and attributes that are not known are left out, as the editor adds new ones: where
    /// things stand in its window, for instance, or what only Apple's services use.
    ///
    /// - Parameter bytes: The XML, in UTF-8.
    /// - Throws: ``ModelFileError`` with the line: for what is no XML, for a name that leads
    ///   nowhere, for a value of a wrong form, and for derived and composite attributes.
    /// - Complexity: O(*n*) for *n* bytes.
    public init(_ bytes: [UInt8]) throws(ModelFileError) {
        var reader = MarkupReader(bytes)
        let root = try reader.read()
        guard root.name == "model" else {
            throw root.fault("the document is <\(root.name)>, and a model's is <model>")
        }
        var entities: [Entity] = []
        for element in root.children(named: "entity") { entities.append(try Entity(element)) }
        var configurations: [Configuration] = []
        for element in root.children(named: "configuration") {
            configurations.append(try Configuration(element))
        }
        var requests: [FetchRequest] = []
        for element in root.children(named: "fetchRequest") {
            requests.append(try FetchRequest(element))
        }
        self.init(
            entities: entities, configurations: configurations, fetchRequests: requests,
            versionIdentifier: root.text("userDefinedModelVersionIdentifier"),
            omissions: try ModelFile.omissions(root))
        try check(root)
    }
}

extension ModelFile {
    /// What of the document is left out, see ``omissions``.
    private static func omissions(_ root: MarkupElement) throws(ModelFileError) -> [Omission] {
        var result: [Omission] = []
        for entity in root.children(named: "entity") {
            for child in entity.children(named: "attribute") where try child.isUntyped() {
                let name = try child.requiredText("name")
                result.append(
                    Omission(
                        line: child.line,
                        reason:
                            "the transient attribute \(entity.text("name") ?? "").\(name) has no "
                            + "type and is left out; make it a property of the class"))
            }
        }
        return result
    }
}

extension MarkupElement {
    /// Whether the element is a transient attribute for values of any class.
    fileprivate func isUntyped() throws(ModelFileError) -> Bool {
        guard try flag("transient") else { return false }
        return (text("attributeType") ?? "Undefined") == "Undefined"
    }
}

extension ModelFile.Configuration {
    init(_ element: MarkupElement) throws(ModelFileError) {
        name = try element.requiredText("name")
        var members: [String] = []
        for member in element.children(named: "memberEntity") {
            members.append(try member.requiredText("name"))
        }
        entities = members
    }
}

extension ModelFile.Entity {
    init(_ element: MarkupElement) throws(ModelFileError) {
        name = try element.requiredText("name")
        className = element.text("representedClassName")
        parent = element.text("parentEntity")
        isAbstract = try element.flag("isAbstract")
        generation = element.text("codeGenerationType").flatMap(Generation.init) ?? .manual
        renamingIdentifier = element.text("elementID")
        var attributes: [ModelFile.Attribute] = []
        for child in element.children(named: "attribute") where try !child.isUntyped() {
            attributes.append(try ModelFile.Attribute(child, in: name))
        }
        self.attributes = attributes
        var relationships: [ModelFile.Relationship] = []
        for child in element.children(named: "relationship") {
            relationships.append(try ModelFile.Relationship(child))
        }
        self.relationships = relationships
        var fetched: [ModelFile.FetchedProperty] = []
        for child in element.children(named: "fetchedProperty") {
            fetched.append(try ModelFile.FetchedProperty(child))
        }
        fetchedProperties = fetched
        indexes = try ModelFile.Index.indexes(of: element)
        constraints = try Self.constraints(element)
        userInfo = try element.userInfo()
        line = element.line
    }

    private static func constraints(
        _ element: MarkupElement
    ) throws(ModelFileError) -> [[String]] {
        var result: [[String]] = []
        for list in element.children(named: "uniquenessConstraints") {
            for constraint in list.children(named: "uniquenessConstraint") {
                var names: [String] = []
                for part in constraint.children(named: "constraint") {
                    names.append(try part.requiredText("value"))
                }
                result.append(names)
            }
        }
        return result
    }
}

extension MarkupElement {
    /// The entries of `<userInfo>`.
    func userInfo() throws(ModelFileError) -> [String: String] {
        var result: [String: String] = [:]
        for list in children(named: "userInfo") {
            for entry in list.children(named: "entry") {
                result[try entry.requiredText("key")] = entry.attributes["value"] ?? ""
            }
        }
        return result
    }
}
