// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import Testing
import _TestSupport

@testable import ModelFiles

/// The elements that Foundation's parser finds.
private final class FoundationReader: NSObject, XMLParserDelegate {
    private var open: [MarkupElement] = []
    private(set) var root: MarkupElement?

    /// The document's element, without lines; nil for what is no XML.
    static func read(_ bytes: [UInt8]) -> MarkupElement? {
        let reader = FoundationReader()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = reader
        return parser.parse() ? reader.root : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        open.append(MarkupElement(name: name, attributes: attributes, line: 0))
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }
}

extension MarkupElement {
    fileprivate var withoutLines: MarkupElement {
        MarkupElement(
            name: name, attributes: attributes, line: 0, children: children.map(\.withoutLines))
    }
}

// One at a time: Foundation's parsers share a dictionary without a lock.
@Suite("The XML of model files beside Foundation's parser", .serialized)
struct MarkupOracleTests {
    private static let words = ["a", "entity", "x-1", "ns:b", "größe", "_c.d"]
    private static let values = [
        "", "YES", "&lt;b&gt; &amp; &quot;c&apos;", "&#65;&#x1F600;", "日本", "a\tb\nc", "=/>",
    ]

    private func document(_ random: inout SplitMix64, depth: Int = 0) -> String {
        let name = Self.words.randomElement(using: &random) ?? ""
        var text = "<\(name)"
        let count = random.below(4)
        for attribute in Self.words.shuffled(using: &random).prefix(count) {
            let value = Self.values.randomElement(using: &random) ?? ""
            text += " \(attribute)\(Bool.random(using: &random) ? "=" : " =\n ")\"\(value)\""
        }
        if Bool.random(using: &random) { return text + "/>" }
        text += ">"
        for _ in 0..<(depth > 4 ? 0 : random.below(4)) {
            switch random.below(6) {
            case 0: text += "text &amp; more"
            case 1: text += "<!-- <not/> an element -->"
            case 2: text += "<![CDATA[<not/>]]>"
            case 3: text += "<?target <not/>?>"
            default: text += document(&random, depth: depth + 1)
            }
        }
        return text + "</\(name)>"
    }

    @Test("Documents at random are read alike", arguments: 0..<20 as Range<UInt64>)
    func documents(_ seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        for _ in 0..<50 {
            let bytes = Array(document(&random).utf8)
            var reader = MarkupReader(bytes)
            let element = try reader.read()
            #expect(element.withoutLines == FoundationReader.read(bytes))
        }
    }
}
