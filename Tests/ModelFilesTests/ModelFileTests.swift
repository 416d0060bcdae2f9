// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ModelFiles

@Suite("What a model file says")
struct ModelFileTests {
    @Test("Of an entity: class, parent, generation, constraints and values for the program")
    func entity() throws {
        let file = try model(
            """
            <entity name="Person" representedClassName=".Person" isAbstract="YES" syncable="YES"
                codeGenerationType="class" elementID="Human">
                <attribute name="name" attributeType="String"/>
                <uniquenessConstraints>
                    <uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
                    <uniquenessConstraint>
                        <constraint value="name"/><constraint value="boss"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
                <userInfo><entry key="k" value="v"/><entry key="empty"/></userInfo>
                <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person"/>
            </entity>
            <entity name="Clerk" parentEntity="Person" codeGenerationType="category"/>
            <entity name="Other" representedClassName="" codeGenerationType="none"/>
            """)
        let person = try #require(file.entity("Person"))
        #expect(person.className == ".Person")
        #expect(person.isAbstract)
        #expect(person.generation == .class)
        #expect(person.renamingIdentifier == "Human")
        #expect(person.constraints == [["name"], ["name", "boss"]])
        #expect(person.userInfo == ["k": "v", "empty": ""])
        #expect(person.line == 3)
        let clerk = try #require(file.entity("Clerk"))
        #expect(clerk.parent == "Person")
        #expect(!clerk.isAbstract)
        #expect(clerk.generation == .category)
        #expect(file.lineage(of: clerk).map(\.name) == ["Clerk", "Person"])
        let other = try #require(file.entity("Other"))
        #expect(other.className == nil)
        #expect(other.generation == .manual)
        #expect(file.entities.map(\.name) == ["Person", "Clerk", "Other"])
    }

    @Test("Of an attribute: what is absent means no")
    func attribute() throws {
        let file = try model(
            """
            <entity name="A">
                <attribute name="plain" attributeType="Integer 16"/>
                <attribute name="all" optional="YES" transient="YES" attributeType="String"
                    defaultValueString="" minValueString="1" maxValueString="64"
                    regularExpressionString="[a-z]+" usesScalarValueType="YES"
                    allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES"
                    elementID="former" syncable="YES"><userInfo/></attribute>
                <attribute name="day" attributeType="Date" defaultDateTimeInterval="12.5"
                    minDateTimeInterval="-1" maxDateTimeInterval="479176980"
                    defaultValueString="passed over"/>
                <attribute name="any" attributeType="Transformable" customClassName="[String]"
                    valueTransformerName="NSSecureUnarchiveFromData"/>
            </entity>
            """)
        let attributes = file.entities[0].attributes
        #expect(attributes.map(\.kind) == [.integer16, .string, .date, .transformable])
        let plain = attributes[0]
        #expect(!plain.isOptional && !plain.isTransient && !plain.usesScalar)
        #expect(!plain.allowsExternalStorage && !plain.isKeptInHistory)
        #expect(plain.defaultValue == nil && plain.minimum == nil && plain.maximum == nil)
        #expect(plain.pattern == nil && plain.renamingIdentifier == nil && plain.userInfo == [:])
        let all = attributes[1]
        #expect(all.isOptional && all.isTransient && all.usesScalar)
        #expect(all.allowsExternalStorage && all.isKeptInHistory)
        #expect(all.defaultValue == "")
        #expect(all.minimum == "1" && all.maximum == "64" && all.pattern == "[a-z]+")
        #expect(all.renamingIdentifier == "former")
        #expect(attributes[2].defaultValue == "12.5")
        #expect(attributes[2].minimum == "-1.0" && attributes[2].maximum == "479176980.0")
        #expect(attributes[3].className == "[String]")
        #expect(attributes[3].transformerName == "NSSecureUnarchiveFromData")
    }

    @Test("Every type of attributes that the editor has, but the composite one")
    func types() throws {
        for kind in ModelFile.Attribute.Kind.allCases {
            let file = try model(
                "<entity name=\"A\"><attribute name=\"a\" attributeType=\"\(kind.rawValue)\"/>"
                    + "</entity>"
            )
            #expect(file.entities[0].attributes[0].kind == kind)
        }
        #expect(ModelFile.Attribute.Kind.allCases.count == 13)
    }

    @Test("Of a relationship: its ends, counts, order and rule")
    func relationship() throws {
        let file = try model(
            """
            <entity name="Team">
                <relationship name="players" optional="YES" toMany="YES" minCount="2" maxCount="11"
                    ordered="YES" deletionRule="Cascade" destinationEntity="Player"
                    inverseName="team" inverseEntity="Player" elementID="members"/>
                <relationship name="rivals" toMany="YES" deletionRule="No Action"
                    destinationEntity="Team"/>
            </entity>
            <entity name="Player">
                <relationship name="team" maxCount="1" deletionRule="Deny"
                    destinationEntity="Team" inverseName="players" inverseEntity="Team"/>
            </entity>
            """)
        let players = file.entities[0].relationships[0]
        #expect(players.destination == "Player" && players.inverse == "team")
        #expect(players.isToMany && players.isOrdered && players.isOptional)
        #expect(players.minCount == 2 && players.maxCount == 11)
        #expect(players.deletionRule == .cascade && players.renamingIdentifier == "members")
        let rivals = file.entities[0].relationships[1]
        #expect(rivals.inverse == nil && rivals.deletionRule == .noAction && rivals.maxCount == 0)
        #expect(!rivals.isOptional && !rivals.isOrdered && !rivals.isTransient)
        let team = file.entities[1].relationships[0]
        #expect(!team.isToMany && team.maxCount == 1 && team.deletionRule == .deny)
    }

    @Test("The inverse may be one that the destination inherits")
    func inheritedInverse() throws {
        let file = try model(
            """
            <entity name="Base"><relationship name="owner" maxCount="1" destinationEntity="Owner"
                inverseName="things" inverseEntity="Owner"/></entity>
            <entity name="Thing" parentEntity="Base"/>
            <entity name="Owner"><relationship name="things" toMany="YES"
                destinationEntity="Base" inverseName="owner" inverseEntity="Base"/></entity>
            """)
        #expect(file.entities.count == 3)
    }

    @Test("Fetched properties, templates and configurations")
    func requests() throws {
        let file = try model(
            """
            <entity name="A"><attribute name="n" attributeType="Double"/>
                <fetchedProperty name="same" optional="YES" syncable="YES">
                    <fetchRequest name="fetchedPropertyFetchRequest" entity="A"
                        predicateString="n == $FETCH_SOURCE.n"/>
                    <userInfo><entry key="k" value="v"/></userInfo>
                </fetchedProperty>
            </entity>
            <fetchRequest name="all" entity="A"/>
            <fetchRequest name="some" entity="A" predicateString="n &gt; $least" fetchLimit="3"
                fetchBatchSize="20" resultType="2" includeSubentities="NO"
                returnObjectsAsFaults="NO" returnDistinctResults="YES"/>
            <configuration name="One"><memberEntity name="A"/></configuration>
            <configuration name="None"/>
            <elements><element name="A" positionX="-63" positionY="0" width="1" height="2"/>
            </elements>
            """)
        let same = file.entities[0].fetchedProperties[0]
        #expect(same.name == "same" && same.isOptional && same.userInfo == ["k": "v"])
        #expect(same.request.entity == "A" && same.request.predicate == "n == $FETCH_SOURCE.n")
        let all = file.fetchRequests[0]
        #expect(all.name == "all" && all.predicate == nil && all.fetchLimit == 0)
        #expect(all.includesSubentities && all.returnsObjectsAsFaults && all.resultType == 0)
        let some = file.fetchRequests[1]
        #expect(some.predicate == "n > $least" && some.fetchLimit == 3)
        #expect(some.fetchBatchSize == 20 && some.resultType == 2 && some.returnsDistinctResults)
        #expect(!some.includesSubentities && !some.returnsObjectsAsFaults)
        #expect(file.configurations.map(\.name) == ["One", "None"])
        #expect(file.configurations.map(\.entities) == [["A"], []])
    }

    @Test("Indexes of the editor and of its older forms; kinds that are not there are left out")
    func indexes() throws {
        let file = try model(
            """
            <entity name="A">
                <attribute name="a" attributeType="String" indexed="YES"/>
                <attribute name="b" attributeType="Double"/>
                <attribute name="t" transient="YES" attributeType="Double" indexed="YES"/>
                <relationship name="many" toMany="YES" indexed="YES" destinationEntity="A"/>
                <relationship name="one" maxCount="1" indexed="YES" destinationEntity="A"/>
                <fetchIndex name="byB" partialIndexPredicate="b != nil">
                    <fetchIndexElement property="b" type="Binary" order="descending"/>
                    <fetchIndexElement property="a" type="Binary" order="ascending"/>
                </fetchIndex>
                <fetchIndex name="place">
                    <fetchIndexElement property="b" type="RTree"/>
                </fetchIndex>
                <fetchIndex name="length">
                    <fetchIndexElement expression="length:(a)" expressionType="Integer 64"
                        type="Binary" order="ascending"/>
                </fetchIndex>
                <compoundIndexes><compoundIndex><index value="a"/><index value="b"/></compoundIndex>
                </compoundIndexes>
            </entity>
            """)
        let indexes = file.entities[0].indexes
        #expect(indexes.map(\.name) == ["byB", "a_b", "a", "one"])
        #expect(indexes[0].predicate == "b != nil")
        #expect(indexes[0].elements.map(\.property) == ["b", "a"])
        #expect(indexes[0].elements.map(\.isAscending) == [false, true])
    }

    @Test("A transient attribute without a type is left out, and that is said")
    func untyped() throws {
        let file = try model(
            """
            <entity name="A">
                <attribute name="jid" optional="YES" transient="YES"/>
                <attribute name="x" transient="YES" attributeType="Undefined"/>
                <attribute name="n" attributeType="Double"/>
            </entity>
            """)
        #expect(file.entities[0].attributes.map(\.name) == ["n"])
        #expect(
            file.omissions.map(\.reason) == [
                "the transient attribute A.jid has no type and is left out; make it a property of "
                    + "the class",
                "the transient attribute A.x has no type and is left out; make it a property of "
                    + "the class",
            ])
        #expect(file.omissions.map(\.line) == [4, 5])
    }

    @Test("Elements and attributes that are not known are passed over")
    func unknown() throws {
        let file = try model(
            """
            <novelty><entity name="inside"/></novelty>
            <entity name="A" novelty="1"><novelty/><attribute name="n" attributeType="Double"
                spotlightIndexingEnabled="YES" allowsCloudEncryption="YES"/></entity>
            """)
        #expect(file.entities.map(\.name) == ["A"])
    }

    @Test("A model may be empty, and may have a version")
    func empty() throws {
        let file = try ModelFile(
            Array("<model userDefinedModelVersionIdentifier=\"2.1\"/>".utf8))
        #expect(file.entities == [] && file.versionIdentifier == "2.1")
    }
}
