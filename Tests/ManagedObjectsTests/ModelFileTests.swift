// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Models from the files of Xcode's model editor.
@Suite struct ModelFileTests {
    private let folder: ModelFolder

    init() throws { folder = try ModelFolder() }

    private func model(_ content: String) throws -> NSManagedObjectModel {
        try NSManagedObjectModel.read(contentsOf: try folder.write("M", ["M": content]))
    }

    /// The text of the error, with the folder left out, and its code.
    private func fault(_ content: String) -> String {
        do {
            return "read \(try model(content).entities.count)"
        } catch {
            let error = error as NSError
            let text = error.localizedDescription
            return "\(error.code) " + text.replacingOccurrences(of: folder.url.path, with: "")
        }
    }

    @Test func entities_have_their_class_parents_and_user_info() throws {
        let model = try model(
            """
            <entity name="Base" representedClassName=".ModelFileBase" isAbstract="YES"
                elementID="Former"><userInfo><entry key="k" value="v"/></userInfo></entity>
            <entity name="Heir" parentEntity="Base" representedClassName="Other.ModelFileHeir"/>
            <entity name="Plain"/>
            """)
        let entities = model.entitiesByName
        #expect(model.entities.map(\.name) == ["Base", "Heir", "Plain"])
        #expect(entities["Base"]?.managedObjectClassName == "ModelFileBase")
        #expect(entities["Base"]?.isAbstract == true)
        #expect(entities["Base"]?.renamingIdentifier == "Former")
        #expect(entities["Base"]?.userInfo as? [String: String] == ["k": "v"])
        #expect(entities["Heir"]?.managedObjectClassName == "Other.ModelFileHeir")
        #expect(entities["Heir"]?.superentity === entities["Base"])
        #expect(entities["Plain"]?.managedObjectClassName == "NSManagedObject")
        #expect(entities["Plain"]?.renamingIdentifier == "Plain")
        #expect(entities["Plain"]?.managedObjectModel === model)
    }

    @Test func attributes_have_types_and_defaults() throws {
        let kinds = [
            "Integer 16": "-1", "Integer 32": "0.0", "Integer 64": "9007199254740993",
            "Decimal": "1.10", "Double": "2.5", "Float": "0.5", "String": "a", "Boolean": "YES",
            "UUID": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "URI": "https://a.b/c",
        ]
        let content = kinds.map { kind, text in
            "<attribute name=\"\(kind.replacingOccurrences(of: " ", with: ""))\" "
                + "attributeType=\"\(kind)\" defaultValueString=\"\(text)\"/>"
        }
        let model = try model(
            """
            <entity name="A">\(content.joined())
            <attribute name="day" attributeType="Date" defaultDateTimeInterval="86400"/>
            <attribute name="data" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
            <attribute name="any" optional="YES" attributeType="Transformable"
                valueTransformerName="NSSecureUnarchiveFromData" customClassName="NSArray"/>
            <attribute name="empty" attributeType="String" defaultValueString=""/>
            <attribute name="badUUID" attributeType="UUID" defaultValueString="empy"/>
            </entity>
            """)
        let attributes = try #require(model.entitiesByName["A"]?.attributesByName)
        func value<Value>(_ name: String, as type: Value.Type) -> Value? {
            attributes[name]?.defaultValue as? Value
        }
        #expect(attributes["Integer16"]?.attributeType == .integer16AttributeType)
        #expect(value("Integer16", as: Int16.self) == -1)
        #expect(value("Integer32", as: Int32.self) == 0)
        #expect(value("Integer64", as: Int64.self) == 9_007_199_254_740_993)
        #expect(value("Decimal", as: NSDecimalNumber.self) == NSDecimalNumber(string: "1.1"))
        #expect(value("Double", as: Double.self) == 2.5)
        #expect(value("Float", as: Float.self) == 0.5)
        #expect(value("String", as: String.self) == "a")
        #expect(value("Boolean", as: Bool.self) == true)
        #expect(value("UUID", as: UUID.self)?.uuidString == kinds["UUID"])
        #expect(value("URI", as: URL.self) == URL(string: "https://a.b/c"))
        #expect(value("day", as: Date.self) == Date(timeIntervalSinceReferenceDate: 86400))
        #expect(attributes["data"]?.allowsExternalBinaryDataStorage == true)
        #expect(attributes["data"]?.isOptional == false)
        #expect(attributes["any"]?.valueTransformerName == "NSSecureUnarchiveFromData")
        #expect(attributes["any"]?.attributeValueClassName == "NSArray")
        #expect(attributes["any"]?.isOptional == true)
        #expect(value("empty", as: String.self) == "")
        // As Core Data has it.
        #expect(attributes["badUUID"]?.defaultValue == nil)
    }

    @Test func bounds_become_rules() throws {
        let model = try model(
            """
            <entity name="A">
            <attribute name="n" attributeType="Integer 16" minValueString="1" maxValueString="64"/>
            <attribute name="d" attributeType="Decimal" minValueString="0.25"/>
            <attribute name="t" attributeType="String" minValueString="2" maxValueString="8"
                regularExpressionString="[A-Z]+"/>
            <attribute name="day" attributeType="Date" minDateTimeInterval="0"
                maxDateTimeInterval="60"/>
            <attribute name="flag" attributeType="Boolean" minValueString="0"/>
            </entity>
            """)
        let attributes = try #require(model.entitiesByName["A"]?.attributesByName)
        #expect(attributes["n"]?.validationRules == [.minimum(1), .maximum(64)])
        #expect(attributes["d"]?.validationRules == [.minimum(Decimal(string: "0.25") ?? 0)])
        #expect(
            attributes["t"]?.validationRules
                == [.minimumLength(2), .maximumLength(8), .pattern("[A-Z]+")])
        #expect(
            attributes["day"]?.validationRules == [
                .earliest(Date(timeIntervalSinceReferenceDate: 0)),
                .latest(Date(timeIntervalSinceReferenceDate: 60)),
            ])
        #expect(attributes["flag"]?.validationRules == [])
    }

    @Test func relationships_lead_to_their_ends_and_back() throws {
        let model = try model(
            """
            <entity name="Team">
            <relationship name="players" optional="YES" toMany="YES" minCount="2" maxCount="11"
                ordered="YES" deletionRule="Cascade" destinationEntity="Player"
                inverseName="team" inverseEntity="Player" elementID="members"/>
            </entity>
            <entity name="Player">
            <relationship name="team" ordered="YES" deletionRule="Deny" destinationEntity="Team"
                inverseName="players" inverseEntity="Team"/>
            </entity>
            """)
        let players = try #require(model.entitiesByName["Team"]?.relationshipsByName["players"])
        let team = try #require(model.entitiesByName["Player"]?.relationshipsByName["team"])
        #expect(players.inverseRelationship === team && team.inverseRelationship === players)
        #expect(players.destinationEntity === team.entity)
        #expect(players.isToMany && players.isOrdered && players.isOptional)
        #expect(players.minCount == 2 && players.maxCount == 11)
        #expect(players.deleteRule == .cascadeDeleteRule)
        #expect(players.renamingIdentifier == "members")
        #expect(!team.isToMany && !team.isOrdered && !team.isOptional && team.maxCount == 1)
        #expect(team.deleteRule == .denyDeleteRule)
    }

    @Test func indexes_constraints_templates_and_configurations_are_read() throws {
        let model = try model(
            """
            <entity name="A"><attribute name="n" attributeType="Double"/>
            <attribute name="t" attributeType="String"/>
            <fetchIndex name="byN" partialIndexPredicate="n &gt; 0">
            <fetchIndexElement property="n" type="Binary" order="descending"/></fetchIndex>
            <uniquenessConstraints><uniquenessConstraint><constraint value="n"/>
            <constraint value="t"/></uniquenessConstraint></uniquenessConstraints>
            <fetchedProperty name="same" optional="YES"><fetchRequest name="x" entity="A"
            predicateString="n == $FETCH_SOURCE.n"/></fetchedProperty>
            </entity>
            <fetchRequest name="some" entity="A" predicateString="t == $t" fetchLimit="3"
            resultType="2" includeSubentities="NO" returnDistinctResults="YES"/>
            <configuration name="One"><memberEntity name="A"/></configuration>
            """)
        let entity = try #require(model.entitiesByName["A"])
        #expect(entity.indexes.map(\.name) == ["byN"])
        #expect(entity.indexes[0].partialIndexPredicate?.description == "n > 0")
        #expect(entity.indexes[0].elements.map(\.propertyName) == ["n"])
        #expect(entity.indexes[0].elements.map(\.isAscending) == [false])
        #expect(entity.uniquenessConstraints as? [[String]] == [["n", "t"]])
        let same = entity.propertiesByName["same"] as? NSFetchedPropertyDescription
        #expect(same?.fetchRequest?.predicate?.description == "n == $FETCH_SOURCE.n")
        let template = try #require(model.fetchRequestTemplate(forName: "some"))
        #expect(template.entity === entity && template.fetchLimit == 3)
        #expect(template.resultType == .dictionaryResultType)
        #expect(!template.includesSubentities && template.returnsDistinctResults)
        #expect(model.configurations == ["One"])
        #expect(model.entities(forConfigurationName: "One") == [entity])
    }

    @Test(arguments: [
        (
            "<attribute name=\"a\" attributeType=\"Integer 16\" defaultValueString=\"70000\"/>",
            "A.a is given 70000, which is no Int16"
        ),
        (
            "<attribute name=\"a\" attributeType=\"Integer 64\" defaultValueString=\"1.5\"/>",
            "A.a is given 1.5, which is no Int64"
        ),
        (
            "<attribute name=\"a\" attributeType=\"Decimal\" defaultValueString=\"1,5\"/>",
            "A.a is given 1,5, which is no number"
        ),
        (
            "<attribute name=\"a\" attributeType=\"Double\" defaultValueString=\"nan\"/>",
            "A.a is given nan, which is no number"
        ),
        (
            "<attribute name=\"a\" attributeType=\"Boolean\" defaultValueString=\"maybe\"/>",
            "A.a is given maybe, which is no YES or NO"
        ),
        (
            "<attribute name=\"a\" attributeType=\"Binary\" defaultValueString=\"x\"/>",
            "A.a has a default, which values of this type cannot have in a model file; set it in "
                + "awakeFromInsert()"
        ),
        (
            "<attribute name=\"a\" attributeType=\"String\" minValueString=\"-1\"/>",
            "A.a is given -1, which is no length"
        ),
        (
            "<attribute name=\"a\" attributeType=\"Date\" derived=\"YES\"/>",
            "A.a is derived, which is not supported; make it a stored attribute, and set it in "
                + "willSave()"
        ),
    ])
    func faults_name_file_line_and_reason(_ content: String, _ reason: String) {
        #expect(
            fault("<entity name=\"A\">\n\(content)</entity>")
                == "259 /M.xcdatamodeld/M.xcdatamodel/contents:3: \(reason)")
    }

    @Test func a_predicate_that_cannot_be_read_is_a_fault() {
        #expect(
            fault(
                "<entity name=\"A\"/>\n"
                    + "<fetchRequest name=\"f\" entity=\"A\" predicateString=\"(\"/>"
            )
            .hasPrefix(
                "259 /M.xcdatamodeld/M.xcdatamodel/contents:3: the predicate of the request f "
                    + "cannot be read: "))
    }

    @Test func what_no_coordinator_would_take_is_a_fault() {
        #expect(
            fault(
                "<entity name=\"A\"><attribute name=\"t\" attributeType=\"String\"/>"
                    + "<fetchIndex name=\"i\" partialIndexPredicate=\"u == 'a'\">"
                    + "<fetchIndexElement property=\"t\" type=\"Binary\"/></fetchIndex></entity>")
                == "259 /M.xcdatamodeld/M.xcdatamodel/contents: index i of A has the predicate "
                + "u == \"a\", which is none for an index: entity A has no property u; did you "
                + "mean t?")
        #expect(
            fault("<entity name=\"A/B\"/>")
                == "259 /M.xcdatamodeld/M.xcdatamodel/contents: an entity is named \"A/B\"; a name "
                + "has no slash")
    }

    @Test func the_initialiser_gives_nil_for_what_cannot_be_read() throws {
        let url = try folder.write("M", ["M": "<entity name=\"A\"/>"])
        #expect(NSManagedObjectModel(contentsOf: url)?.entities.map(\.name) == ["A"])
        #expect(
            NSManagedObjectModel(contentsOf: folder.url.appendingPathComponent("N.momd")) == nil)
        #expect(try NSManagedObjectModel(contentsOf: folder.write("B", ["B": "<"])) == nil)
        let remote = try #require(URL(string: "https://example.com/M.xcdatamodeld"))
        #expect(NSManagedObjectModel(contentsOf: remote) == nil)
        let missing = folder.url.appendingPathComponent("N")
        let error = #expect(throws: CocoaError.self) {
            try NSManagedObjectModel.read(contentsOf: missing)
        }
        #expect(error?.code == .fileReadNoSuchFile)
        #expect(error?.localizedDescription == "\(missing.path): there is no such model")
    }
}
