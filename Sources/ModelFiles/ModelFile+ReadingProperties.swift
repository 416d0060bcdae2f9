// SPDX-License-Identifier: Apache-2.0

extension ModelFile.Attribute {
    init(_ element: MarkupElement, in entity: String) throws(ModelFileError) {
        name = try element.requiredText("name")
        let label = "\(entity).\(name)"
        guard try !element.flag("derived"), element.text("derivationExpression") == nil else {
            throw element.fault(
                "\(label) is derived, which is not supported; make it a stored attribute, and set "
                    + "it in willSave()")
        }
        kind = try Self.kind(element, label)
        isOptional = try element.flag("optional")
        isTransient = try element.flag("transient")
        if kind == .date {
            defaultValue = try element.seconds("defaultDateTimeInterval").map { "\($0)" }
            minimum = try element.seconds("minDateTimeInterval").map { "\($0)" }
            maximum = try element.seconds("maxDateTimeInterval").map { "\($0)" }
        } else {
            // An empty text is a default of its own.
            let isText = kind == .string
            defaultValue =
                isText
                ? element.attributes["defaultValueString"] : element.text("defaultValueString")
            minimum = element.text("minValueString")
            maximum = element.text("maxValueString")
        }
        pattern = element.text("regularExpressionString")
        transformerName = element.text("valueTransformerName")
        className = element.text("customClassName")
        usesScalar = try element.flag("usesScalarValueType")
        allowsExternalStorage = try element.flag("allowsExternalBinaryDataStorage")
        isKeptInHistory = try element.flag("preserveAfterDeletion")
        renamingIdentifier = element.text("elementID")
        userInfo = try element.userInfo()
        line = element.line
    }

    private static func kind(
        _ element: MarkupElement, _ label: String
    ) throws(ModelFileError) -> Kind {
        guard let text = element.text("attributeType"), text != "Undefined" else {
            throw element.fault("\(label) has no type; give it one")
        }
        if let kind = Kind(rawValue: text) { return kind }
        switch text {
        case "Composite":
            throw element.fault(
                "\(label) is composite, which is not supported; make an attribute of each element, "
                    + "or a transformable one")
        default:
            throw element.fault("\(label) is of the type \(text), which attributes do not have")
        }
    }
}

extension ModelFile.Relationship {
    init(_ element: MarkupElement) throws(ModelFileError) {
        name = try element.requiredText("name")
        destination = try element.requiredText("destinationEntity")
        inverse = element.text("inverseName")
        isToMany = try element.flag("toMany")
        isOrdered = try element.flag("ordered")
        minCount = try element.count("minCount")
        maxCount = try element.count("maxCount")
        let isPossible =
            isToMany ? maxCount != 1 && (maxCount == 0 || minCount <= maxCount) : maxCount <= 1
        guard isPossible else {
            throw element.fault(
                "\(name) is \(isToMany ? "to-many" : "to-one") and has "
                    + "\(minCount) to \(maxCount) destinations")
        }
        let rule = element.text("deletionRule") ?? DeletionRule.nullify.rawValue
        guard let known = DeletionRule(rawValue: rule) else {
            throw element.fault("\(name) has the deletion rule \(rule), which there is not")
        }
        deletionRule = known
        isOptional = try element.flag("optional")
        isTransient = try element.flag("transient")
        renamingIdentifier = element.text("elementID")
        userInfo = try element.userInfo()
        line = element.line
    }
}

extension ModelFile.FetchRequest {
    init(_ element: MarkupElement) throws(ModelFileError) {
        name = element.text("name") ?? ""
        entity = try element.requiredText("entity")
        predicate = element.text("predicateString")
        fetchLimit = try element.count("fetchLimit")
        fetchBatchSize = try element.count("fetchBatchSize")
        resultType = try element.count("resultType")
        guard resultType <= 2 else {
            throw element.fault("resultType=\"\(resultType)\" is none of 0, 1 and 2")
        }
        // As a new request has it, where the file says nothing.
        includesSubentities = try element.flag("includeSubentities", orElse: true)
        returnsObjectsAsFaults = try element.flag("returnObjectsAsFaults", orElse: true)
        returnsDistinctResults = try element.flag("returnDistinctResults")
        line = element.line
    }
}

extension ModelFile.FetchedProperty {
    init(_ element: MarkupElement) throws(ModelFileError) {
        name = try element.requiredText("name")
        isOptional = try element.flag("optional")
        guard let request = element.children(named: "fetchRequest").first else {
            throw element.fault("the fetched property \(name) has no <fetchRequest>")
        }
        self.request = try ModelFile.FetchRequest(request)
        userInfo = try element.userInfo()
    }
}
