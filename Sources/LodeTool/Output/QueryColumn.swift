// SPDX-License-Identifier: Apache-2.0

import Lode

/// A column of a query's result: a key path that leads to an attribute, or to a number of objects.
struct QueryColumn {
    /// The key path, and the column's title.
    let name: String
    /// The type of the attribute at the end; `nil` for a count.
    private let type: NSAttributeType?
    private let keys: [String]
    /// Whether the key path ends at an object that has no attribute to show.
    private let endsAtObject: Bool

    /// Whether cells stand to the right.
    var isNumber: Bool {
        switch type {
        case nil, .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .decimalAttributeType, .doubleAttributeType, .floatAttributeType:
            true
        default: false
        }
    }

    /// The columns of key paths; without any, the attributes and the to-one relationships.
    static func columns(
        _ names: [String], of entity: NSEntityDescription
    ) throws(ToolError) -> [QueryColumn] {
        var names = names
        if names.isEmpty {
            names = entity.properties.filter {
                $0 is NSAttributeDescription
                    || ($0 as? NSRelationshipDescription)?.isToMany == false
            }.map(\.name)
        }
        var columns: [QueryColumn] = []
        for name in names { columns.append(try QueryColumn(name, of: entity)) }
        return columns
    }

    private init(_ path: String, of entity: NSEntityDescription) throws(ToolError) {
        var keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var current = entity
        var type: NSAttributeType?
        var endsAtObject = false
        for (index, key) in keys.enumerated() {
            let isLast = index == keys.count - 1
            switch current.propertiesByName[key] {
            case let attribute as NSAttributeDescription where isLast:
                type = attribute.attributeType
            case let relationship as NSRelationshipDescription:
                guard let destination = relationship.destinationEntity else { continue }
                if relationship.isToMany {
                    guard isLast else {
                        throw ToolError(
                            "\(path): \(key) is to-many and can only end a column's key path")
                    }
                } else if isLast {
                    // Shows the destination by its name, or whatever comes closest.
                    let shown = QueryColumn.display(destination)
                    keys += shown.map { [$0.name] } ?? []
                    type = shown?.attributeType ?? .stringAttributeType
                    endsAtObject = shown == nil
                } else {
                    current = destination
                }
            case is NSAttributeDescription:
                throw ToolError("\(path): \(key) is an attribute; nothing can follow it")
            default:
                let known = current.propertiesByName.keys.sorted().joined(separator: ", ")
                throw ToolError(
                    "\(path): \(current.name ?? "") has no property \(key); it has \(known)")
            }
        }
        self.type = type
        self.keys = keys
        self.endsAtObject = endsAtObject
        name = keys.joined(separator: ".")
    }

    /// The attribute by which a reader recognises an object: a name, a title, text, a key.
    private static func display(_ entity: NSEntityDescription) -> NSAttributeDescription? {
        let attributes = entity.properties.compactMap { $0 as? NSAttributeDescription }
        let unique = entity.uniquenessConstraints.first?.first.map {
            ($0 as? NSPropertyDescription)?.name ?? "\($0)"
        }
        return attributes.first { ["name", "title"].contains($0.name) }
            ?? attributes.first { $0.attributeType == .stringAttributeType }
            ?? attributes.first { $0.name == unique } ?? attributes.first
    }

    /// The value of an object.
    func value(of object: NSManagedObject) -> ValueText {
        var current: NSManagedObject? = object
        for key in keys.dropLast() { current = current?.value(forKey: key) as? NSManagedObject }
        guard let owner = current, let last = keys.last else { return .null }
        let value = owner.value(forKey: last)
        guard let type else {
            let count =
                (value as? NSOrderedSet)?.count ?? (value as? Set<NSManagedObject>)?.count ?? 0
            return .number("\(count)")
        }
        if endsAtObject, let destination = value as? NSManagedObject {
            return .text("\(destination.objectID)")
        }
        return ValueText(value, type)
    }
}
