// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ModelFiles

@Suite("What is no model")
struct ModelFileFaultTests {
    @Test(
        "A fault is told with its line",
        arguments: [
            ("<entity/>", ":3: <entity> has no name"),
            ("<entity name=\"\"/>", ":3: <entity> has no name"),
            ("<entity name=\"A\"/>\n<entity name=\"A\"/>", ":4: there are two entities A"),
            (
                "<entity name=\"A\" parentEntity=\"B\"/>",
                ":3: the parent of A is B, which is not in the file"
            ),
            (
                "<entity name=\"A\" parentEntity=\"B\"/><entity name=\"B\" parentEntity=\"A\"/>",
                ":3: A inherits from itself"
            ),
            (
                "<entity name=\"A\" isAbstract=\"maybe\"/>",
                ":3: isAbstract=\"maybe\" is neither YES nor NO"
            ),
            (
                "<configuration name=\"C\"><memberEntity name=\"A\"/></configuration>",
                ":2: the configuration C has the entity A, which is not in the file"
            ),
            (
                "<fetchRequest name=\"f\" entity=\"A\"/>",
                ":3: a request is for the entity A, which is not in the file"
            ),
            ("<fetchRequest name=\"f\"/>", ":3: <fetchRequest> has no entity"),
            (
                "<fetchRequest entity=\"A\"/><entity name=\"A\"/>",
                ":3: a <fetchRequest> has no name"
            ),
            (
                "<fetchRequest name=\"f\" entity=\"A\" fetchLimit=\"-1\"/>",
                ":3: fetchLimit=\"-1\" is no number of objects"
            ),
            (
                "<fetchRequest name=\"f\" entity=\"A\" resultType=\"3\"/>",
                ":3: resultType=\"3\" is none of 0, 1 and 2"
            ),
        ])
    func faults(_ content: String, _ expected: String) {
        #expect(fault(content) == expected)
    }

    @Test(
        "A fault of a property is told with its line",
        arguments: [
            ("<attribute attributeType=\"String\"/>", ":3: <attribute> has no name"),
            ("<attribute name=\"a\"/>", ":3: A.a has no type; give it one"),
            (
                "<attribute name=\"a\" attributeType=\"Undefined\"/>",
                ":3: A.a has no type; give it one"
            ),
            (
                "<attribute name=\"a\" attributeType=\"Integer\"/>",
                ":3: A.a is of the type Integer, which attributes do not have"
            ),
            (
                "<attribute name=\"a\" attributeType=\"Composite\" composite=\"P\"/>",
                ":3: A.a is composite, which is not supported; make an attribute of each element, "
                    + "or a transformable one"
            ),
            (
                "<attribute name=\"a\" attributeType=\"String\" derived=\"YES\"/>",
                ":3: A.a is derived, which is not supported; make it a stored attribute, and set "
                    + "it in willSave()"
            ),
            (
                "<attribute name=\"a\" attributeType=\"Date\" minDateTimeInterval=\"x\"/>",
                ":3: minDateTimeInterval=\"x\" is no number of seconds"
            ),
            (
                "<attribute name=\"a\" attributeType=\"Date\"/>\n<attribute name=\"a\" "
                    + "attributeType=\"Date\"/>", ":3: A has a twice"
            ),
            ("<relationship name=\"r\"/>", ":3: <relationship> has no destinationEntity"),
            (
                "<relationship name=\"r\" destinationEntity=\"B\"/>",
                ":3: A.r leads to B, which is not in the file"
            ),
            (
                "<relationship name=\"r\" destinationEntity=\"A\" inverseName=\"s\"/>",
                ":3: the inverse of A.r is A.s, which is not in the file"
            ),
            (
                "<relationship name=\"r\" destinationEntity=\"A\" inverseName=\"s\"/>\n"
                    + "<relationship name=\"s\" destinationEntity=\"A\"/>",
                ":3: the inverse of A.r is A.s, whose own inverse is not given"
            ),
            (
                "<relationship name=\"r\" destinationEntity=\"A\" deletionRule=\"Delete\"/>",
                ":3: r has the deletion rule Delete, which there is not"
            ),
            (
                "<relationship name=\"r\" destinationEntity=\"A\" maxCount=\"2\"/>",
                ":3: r is to-one and has 0 to 2 destinations"
            ),
            (
                "<relationship name=\"r\" toMany=\"YES\" destinationEntity=\"A\" maxCount=\"1\"/>",
                ":3: r is to-many and has 0 to 1 destinations"
            ),
            (
                "<relationship name=\"r\" toMany=\"YES\" destinationEntity=\"A\" minCount=\"3\" "
                    + "maxCount=\"2\"/>", ":3: r is to-many and has 3 to 2 destinations"
            ),
            (
                "<fetchedProperty name=\"f\"/>",
                ":3: the fetched property f has no <fetchRequest>"
            ),
            (
                "<uniquenessConstraints><uniquenessConstraint><constraint value=\"x\"/>"
                    + "</uniquenessConstraint></uniquenessConstraints>",
                ":3: a uniqueness constraint of A is of x, which it does not have"
            ),
            (
                "<fetchIndex name=\"i\"><fetchIndexElement property=\"x\"/></fetchIndex>",
                ":3: an index of A is over x, which it does not have"
            ),
        ])
    func faultsOfProperties(_ content: String, _ expected: String) {
        #expect(fault("<entity name=\"A\">\(content)</entity>") == expected)
    }

    @Test("An inverse that leads to an heir only is refused, as its other end may be none")
    func inverseOfAnHeir() {
        #expect(
            fault(
                """
                <entity name="Base"><relationship name="single" maxCount="1"
                    destinationEntity="Single" inverseName="test"/></entity>
                <entity name="Heir" parentEntity="Base"/>
                <entity name="Single"><relationship name="test" maxCount="1"
                    destinationEntity="Heir" inverseName="single"/></entity>
                """)
                == ":3: the inverse of Base.single is Single.test, which leads to Heir and not to "
                + "every Base; move one of them to the entity that the other leads to")
    }

    @Test("A circle of parents is found before anything goes up the lines")
    func circleBehindRelationship() {
        #expect(
            fault(
                """
                <entity name="A"><relationship name="r" maxCount="1" destinationEntity="B"
                    inverseName="s"/></entity>
                <entity name="B" parentEntity="C"/>
                <entity name="C" parentEntity="B"/>
                """) == ":5: B inherits from itself")
    }

    @Test("So many entities above one another are refused that no store would take them")
    func deepInheritance() {
        func chain(_ count: Int) -> String {
            (1..<count).map { "<entity name=\"E\($0)\" parentEntity=\"E\($0 - 1)\"/>" }.joined()
        }
        #expect(fault("<entity name=\"E0\"/>" + chain(256)).hasPrefix("read"))
        #expect(
            fault("<entity name=\"E0\"/>" + chain(5000))
                == ":3: E256 has more than 255 entities above it; let fewer inherit from each other"
        )
    }

    @Test("A property of the name of an inherited one is refused")
    func inheritedName() {
        #expect(
            fault(
                """
                <entity name="Base"><attribute name="n" attributeType="Double"/></entity>
                <entity name="Heir" parentEntity="Base"><attribute name="n" attributeType="Double"/>
                </entity>
                """) == ":4: Heir has n twice")
    }

    @Test("A document of another kind is refused")
    func otherDocument() {
        #expect(
            throws: ModelFileError("the document is <plist>, and a model's is <model>", line: 1)
        ) {
            try ModelFile(Array("<plist/>".utf8))
        }
    }
}
