// SPDX-License-Identifier: Apache-2.0

import ModelFiles
import Testing

@testable import ModelClasses

@Suite("The classes of a model")
struct ClassWriterTests {
    private func text(_ content: String) throws(ModelFileError) -> String {
        let file = try ModelFile(Array("<model>\n\(content)\n</model>".utf8))
        return try ClassWriter(file, name: "Office").text()
    }

    private let heading = """
        // Generated for the model Office: what is changed here is lost with the next build.

        import CoreData

        """

    @Test("A class with all types of properties")
    func classes() throws {
        let kinds = [
            "Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Boolean", "Decimal",
            "String", "Date", "Binary", "UUID", "URI", "Transformable",
        ]
        let attributes = kinds.enumerated().map { index, kind in
            "<attribute name=\"a\(index)\" attributeType=\"\(kind)\" usesScalarValueType=\"YES\"/>"
        }
        #expect(
            try text(
                """
                <entity name="Person" representedClassName=".Human" codeGenerationType="class">
                \(attributes.joined())
                <attribute name="number" attributeType="Integer 16"/>
                <attribute name="list" attributeType="Transformable" customClassName="[String]"/>
                <relationship name="boss" maxCount="1" destinationEntity="Person"/>
                <relationship name="staff" toMany="YES" destinationEntity="Person"/>
                <relationship name="row" toMany="YES" ordered="YES" destinationEntity="Plain"/>
                <fetchedProperty name="same"><fetchRequest name="x" entity="Person"/>
                </fetchedProperty>
                </entity>
                <entity name="Clerk" representedClassName="Office.Clerk" parentEntity="Person"
                    codeGenerationType="class"/>
                <entity name="Plain" codeGenerationType="class"/>
                """) == heading + """

                    /// An object of the entity `Person`.
                    open class Human: NSManagedObject {}

                    extension Human {
                        /// A request for all objects of the entity.
                        public class func fetchRequest() -> NSFetchRequest<Human> {
                            NSFetchRequest<Human>(entityName: "Person")
                        }
                        @Managed public var a0: Int16
                        @Managed public var a1: Int32
                        @Managed public var a2: Int64
                        @Managed public var a3: Double
                        @Managed public var a4: Float
                        @Managed public var a5: Bool
                        @Managed public var a6: NSDecimalNumber?
                        @Managed public var a7: String?
                        @Managed public var a8: Date?
                        @Managed public var a9: Data?
                        @Managed public var a10: UUID?
                        @Managed public var a11: URL?
                        @Managed public var a12: NSObject?
                        @Managed public var number: NSNumber?
                        @Managed public var list: [String]?
                        @Managed public var boss: Human?
                        @Managed public var staff: NSSet?
                        @Managed public var row: NSOrderedSet?
                        @Managed public var same: [Human]?
                    }

                    extension Human: Identifiable {}

                    /// An object of the entity `Clerk`.
                    open class Clerk: Human {}

                    extension Clerk {
                        /// A request for all objects of the entity.
                        public class func fetchRequest() -> NSFetchRequest<Clerk> {
                            NSFetchRequest<Clerk>(entityName: "Clerk")
                        }
                    }

                    """)
    }

    @Test("A category is an extension only, and a class of the program's own is left to it")
    func categories() throws {
        #expect(
            try text(
                """
                <entity name="Person" representedClassName="Person" codeGenerationType="category">
                <attribute name="default" attributeType="String"/>
                <attribute name="größe" attributeType="Double"/></entity>
                <entity name="Own" representedClassName="Own"/>
                <entity name="None" representedClassName="None" codeGenerationType="none"/>
                """) == heading + """

                    extension Person {
                        /// A request for all objects of the entity.
                        public class func fetchRequest() -> NSFetchRequest<Person> {
                            NSFetchRequest<Person>(entityName: "Person")
                        }
                        @Managed public var `default`: String?
                        @Managed public var größe: NSNumber?
                    }

                    extension Person: Identifiable {}

                    """)
        #expect(try text("<entity name=\"Own\" representedClassName=\"Own\"/>") == heading)
    }

    @Test("The name of an entity is a literal, whatever characters it has")
    func literal() throws {
        let text = try text(
            "<entity name='a&quot;\\&#10;b' representedClassName=\"A\" "
                + "codeGenerationType=\"class\"/>")
        #expect(text.contains("(entityName: \"a\\\"\\\\\\nb\")\n"))
        #expect(text.contains("/// An object of the entity `a\"\\ b`.\n"))
    }

    @Test("Names that Swift cannot have, and a class for two entities, are told with their lines")
    func faults() {
        func fault(_ content: String) -> String {
            do { return try text(content) } catch { return error.description }
        }
        let entity = "<entity name=\"A\" representedClassName=\"A\" codeGenerationType=\"class\">\n"
        #expect(
            fault(entity + "<attribute name=\"a b\" attributeType=\"Date\"/></entity>")
                == ":3: a b is no name in Swift; give it another one")
        #expect(
            fault("<entity name=\"A\" representedClassName=\"1A\" codeGenerationType=\"class\"/>")
                == ":2: 1A is no name in Swift; give it another one")
        #expect(
            fault(
                """
                <entity name="A" representedClassName="X" codeGenerationType="class"/>
                <entity name="B" representedClassName=".X" codeGenerationType="class"/>
                """)
                == ":3: the class X is that of two entities; set the code generation of one of "
                + "them to manual")
    }
}
