// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ModelFiles

@Suite("The XML of model files")
struct MarkupReaderTests {
    private func read(_ text: String) throws(ModelFileError) -> MarkupElement {
        var reader = MarkupReader(Array(text.utf8))
        return try reader.read()
    }

    private func fault(_ text: String) -> String {
        do {
            let element = try read(text)
            return "read <\(element.name)>"
        } catch {
            return error.description
        }
    }

    @Test("Elements have their attributes, lines and children in order")
    func elements() throws {
        let root = try read(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="a" empty="">
                <entity name="B"/>
                <entity name='C' >
                    <attribute   name = "d"
                        optional="YES"></attribute >
                </entity>
            </model>

            """)
        #expect(root.name == "model")
        #expect(root.attributes == ["type": "a", "empty": ""])
        #expect(root.children.map(\.name) == ["entity", "entity"])
        #expect(root.children.map(\.line) == [3, 4])
        #expect(root.children[1].attributes == ["name": "C"])
        #expect(
            root.children[1].children == [
                MarkupElement(
                    name: "attribute", attributes: ["name": "d", "optional": "YES"], line: 5)
            ])
    }

    @Test("References stand for their characters, and breaks of lines in values for spaces")
    func references() throws {
        let root = try read(
            "<a b=\"&lt;&gt;&amp;&quot;&apos;\" c='&#65;&#x1F600;&#xe9;' d='\"' "
                + "e=\"x\ny\r\nz\tw\"/>"
        )
        #expect(root.attributes["b"] == "<>&\"'")
        #expect(root.attributes["c"] == "A😀é")
        #expect(root.attributes["d"] == "\"")
        #expect(root.attributes["e"] == "x y z w")
    }

    @Test("Comments, instructions, texts and a mark of the byte order are passed over")
    func passedOver() throws {
        let root = try read(
            "\u{FEFF}<!-- <b> --><?go on?><a>text<!-- <c/> --><![CDATA[</a>]]><d/>&nothing;</a>"
                + "\n<!-- -->"
        )
        #expect(root.name == "a")
        #expect(root.children.map(\.name) == ["d"])
    }

    @Test("Names and values may be of any language")
    func languages() throws {
        let root = try read("<größe wert=\"日本 – é\"/>")
        #expect(root.name == "größe")
        #expect(root.attributes == ["wert": "日本 – é"])
    }

    @Test(
        "What is no XML is refused with its line",
        arguments: [
            ("", "the file is no XML document"),
            ("model", "the file is no XML document"),
            ("bplist00", "the file is no XML document"),
            ("<a>\n<b>\n</a>", ":3: </a> ends <b> of line 2"),
            ("<a>\n<b/>\n", ":3: the file ends within <a> of line 1"),
            ("<a/>\n<b/>", ":2: the document goes on after </a>"),
            ("<a b=c/>", ":1: the value of b has no quotes"),
            ("<a b/>", ":1: = is missing after b"),
            ("<a b=\"1", ":1: the value of b does not end"),
            ("<a b=\"1\" b=\"2\"/>", ":1: <a> has b twice"),
            ("<a b=\"1\"c=\"2\"/>", ":1: <a> has attributes without space between"),
            ("<a b=\"<\"/>", ":1: the value of b has a < in it; write &lt;"),
            ("<a b=\"a & b\"/>", ":1: & begins no reference; write &amp;"),
            ("<a b=\"&copy;\"/>", ":1: &copy; is no reference that XML has"),
            ("<a b=\"&#xD800;\"/>", ":1: &#xD800; is no reference that XML has"),
            ("<a b=\"&#-1;\"/>", ":1: &#-1; is no reference that XML has"),
            ("<a b=\"&#;\"/>", ":1: &#; is no reference that XML has"),
            ("<a b=\"&#0;\"/>", ":1: the character 0 has no place in XML"),
            ("<a b=\"\u{1}\"/>", ":1: the character 1 has no place in XML"),
            ("<a><!-- </a>", ":1: --> is missing"),
            ("<a><![CDATA[ </a>", ":1: ]]> is missing"),
            ("<a /b>", ":1: > is missing after a"),
            ("< a/>", ":1: a name is missing"),
            (
                "<!DOCTYPE a [<!ENTITY b \"c\">]><a/>",
                ":1: the file has a document type, which model files do not have"
            ),
            (
                "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a/>",
                ":1: the file is encoded in UTF-16; save it as UTF-8"
            ),
            (
                "<?xml version='1.0' encoding = 'iso-8859-1' ?><a/>",
                ":1: the file is encoded in ISO-8859-1; save it as UTF-8"
            ),
        ])
    func refused(_ text: String, _ expected: String) {
        #expect(fault(text).hasSuffix(expected))
    }

    @Test("Bytes that are no UTF-8 are refused, wherever they are")
    func notUnicode() {
        for bytes in [[0xFF, 0xFE, 0x3C, 0], Array("<a b=\"".utf8) + [0xC3] + Array("\"/>".utf8)] {
            var reader = MarkupReader(bytes.map { UInt8($0) })
            #expect(throws: ModelFileError("the file is no UTF-8 text; save it as UTF-8", line: 1))
            {
                try reader.read()
            }
        }
    }

    @Test("Elements in each other are counted, so that a hostile file does not end the program")
    func depth() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
        }
        #expect(try read(nested(64)).name == "a")
        #expect(fault(nested(65)) == ":1: more than 64 elements in each other")
        #expect(fault(String(repeating: "<a>", count: 1_000_000)).hasSuffix("in each other"))
    }

    @Test("A file that is cut anywhere is refused, and never read past its end")
    func cut() {
        let text = "<?xml version=\"1.0\"?><a b=\"&#65;é\"><!-- c --><![CDATA[d]]><e f='g'/></a>"
        let bytes = Array(text.utf8)
        for length in bytes.indices {
            var reader = MarkupReader(Array(bytes[..<length]))
            #expect(throws: ModelFileError.self) { try reader.read() }
        }
    }
}
