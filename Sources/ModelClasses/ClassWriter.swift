// SPDX-License-Identifier: Apache-2.0

import ModelFiles

/// Writes the classes that Xcode would generate for a model, in Swift.
///
/// ```swift
/// let file = try ModelBundle(at: "Office.xcdatamodeld").currentModel()
/// print(try ClassWriter(file, name: "Office").text())
/// ```
///
/// An entity whose code generation is `class` gets its class with all properties, one with
/// `category` an extension with the properties, and others nothing. Properties have the types that
/// Xcode gives them, with `@Managed` in place of `@NSManaged`.
public struct ClassWriter: Sendable {
    private let file: ModelFile
    private let name: String

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - file: The model.
    ///   - name: Its name, for the heading.
    public init(_ file: ModelFile, name: String) {
        self.file = file
        self.name = name
    }

    /// The source text; nothing but the heading where the program writes all classes itself.
    ///
    /// - Throws: `ModelFileError` for a name that Swift cannot have, and for two entities of which
    ///   the same class would be generated.
    public func text() throws(ModelFileError) -> String {
        var result = """
            // Generated for the model \(name): what is changed here is lost with the next build.

            import CoreData

            """
        var written: Set<String> = []
        for entity in file.entities {
            let ownClass = className(of: entity)
            guard entity.generation != .manual, ownClass != Self.plainClass else { continue }
            guard written.insert(ownClass).inserted else {
                throw ModelFileError(
                    "the class \(ownClass) is that of two entities; set the code generation of "
                        + "one of them to manual", line: entity.line)
            }
            result += "\n" + (try text(of: entity, ownClass))
        }
        return result
    }

    private static let plainClass = "NSManagedObject"

    /// The name of an entity's class without its module.
    private func className(of entity: ModelFile.Entity) -> String {
        entity.className?.split(separator: ".").last.map(String.init) ?? Self.plainClass
    }

    private func className(of entity: String) -> String {
        file.entity(entity).map(className(of:)) ?? Self.plainClass
    }

    private func text(
        of entity: ModelFile.Entity, _ ownClass: String
    ) throws(ModelFileError) -> String {
        let name = try SwiftName(ownClass, line: entity.line)
        var result = ""
        if entity.generation == .class {
            let parent = entity.parent.map { className(of: $0) } ?? Self.plainClass
            let label = entity.name.split(whereSeparator: \.isNewline).joined(separator: " ")
            result += "/// An object of the entity `\(label)`.\n"
            result += "open class \(name): \(try SwiftName(parent, line: entity.line)) {}\n\n"
        }
        result += "extension \(name) {\n"
        result += "    /// A request for all objects of the entity.\n"
        result += "    public class func fetchRequest() -> NSFetchRequest<\(name)> {\n"
        // As a literal, whatever characters the name has.
        let literal = entity.name.debugDescription
        result += "        NSFetchRequest<\(name)>(entityName: \(literal))\n    }\n"
        for attribute in entity.attributes {
            result += try property(attribute.name, Self.type(of: attribute), attribute.line)
        }
        for relationship in entity.relationships {
            let type =
                relationship.isToMany
                ? relationship.isOrdered ? "NSOrderedSet?" : "NSSet?"
                : try swiftClass(of: relationship.destination, relationship.line) + "?"
            result += try property(relationship.name, type, relationship.line)
        }
        for fetched in entity.fetchedProperties {
            let line = fetched.request.line
            let type = try swiftClass(of: fetched.request.entity, line)
            result += try property(fetched.name, "[\(type)]?", line)
        }
        result += "}\n"
        // Heirs are so by their parent, and whether a class of the program is, is not known.
        let parent = entity.parent.map { className(of: $0) } ?? Self.plainClass
        if parent == Self.plainClass { result += "\nextension \(name): Identifiable {}\n" }
        return result
    }

    private func swiftClass(
        of entity: String, _ line: Int
    ) throws(ModelFileError) -> String {
        try SwiftName(className(of: entity), line: line).description
    }

    private func property(
        _ name: String, _ type: String, _ line: Int
    ) throws(ModelFileError) -> String {
        "    @Managed public var \(try SwiftName(name, line: line)): \(type)\n"
    }

    /// The type that Xcode gives the property of an attribute.
    private static func type(of attribute: ModelFile.Attribute) -> String {
        switch attribute.kind {
        case .integer16: attribute.usesScalar ? "Int16" : "NSNumber?"
        case .integer32: attribute.usesScalar ? "Int32" : "NSNumber?"
        case .integer64: attribute.usesScalar ? "Int64" : "NSNumber?"
        case .double: attribute.usesScalar ? "Double" : "NSNumber?"
        case .float: attribute.usesScalar ? "Float" : "NSNumber?"
        case .boolean: attribute.usesScalar ? "Bool" : "NSNumber?"
        case .decimal: "NSDecimalNumber?"
        case .string: "String?"
        case .date: "Date?"
        case .binary: "Data?"
        case .uuid: "UUID?"
        case .uri: "URL?"
        case .transformable: (attribute.className ?? "NSObject") + "?"
        }
    }
}
