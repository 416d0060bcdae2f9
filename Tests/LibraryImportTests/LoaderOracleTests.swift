// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import Testing
import _TestSupport

/// Random libraries, imported in random batches, against dictionaries.
@Suite struct LoaderOracleTests {
    private struct Oracle {
        var nodes: [Int: (text: String?, parent: Int?)] = [:]
        var links: [Int: Set<Int>] = [:]

        func lines() -> [String] {
            nodes.keys.sorted().map { id in
                let node = nodes[id]
                let children = nodes.keys.filter { nodes[$0]?.parent == id }
                let tags = links[id] ?? []
                return "Node nodeId=\(id) text=\(node?.text ?? "nil") "
                    + "parent=\(node?.parent.map { "\($0)" } ?? "nil") "
                    + "children=[\(children.map { "\($0)" }.sorted().joined(separator: " "))] "
                    + "tags=[\(tags.map { "\($0)" }.sorted().joined(separator: " "))]"
            }
        }
    }

    static let mapping = """
        {"entities": {"Node": {"attributes": {"Text": {"type": "string", "optional": true}},
          "relationships": {"ParentId": {"destination": "Node", "name": "parent",
            "inverse": "children", "optional": true}}}}}
        """

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64]) func matches(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try withWorkplace { place throws in
            var oracle = Oracle()
            for round in 0..<4 {
                let files = makeFiles(&oracle, &generator)
                let batchSize = Int.random(in: 1...12, using: &generator)
                let report = try place.load(files, mapping: Self.mapping, batchSize: batchSize)
                let lines = try place.dump().filter { $0.hasPrefix("Node") }.sorted()
                #expect(
                    lines == oracle.lines().sorted(), "seed \(seed), round \(round), \(files)")
                #expect(report.rejectionCount == 0, "seed \(seed), round \(round), \(report)")
                let bytes = try place.storeBytes()
                _ = try place.load(files, mapping: Self.mapping, batchSize: batchSize)
                #expect(try place.storeBytes() == bytes, "seed \(seed), round \(round), \(files)")
            }
        }
    }

    private func makeFiles(
        _ oracle: inout Oracle, _ generator: inout SeededGenerator
    ) -> [String: String] {
        var chosen: Set<Int> = []
        for _ in 0..<Int.random(in: 1...15, using: &generator) {
            chosen.insert(Int.random(in: 1...25, using: &generator))
        }
        let ids = chosen.shuffled(using: &generator)
        let known = Array(chosen.union(oracle.nodes.keys)).sorted()
        var nodes = "NodeId,Text,ParentId\n"
        for id in ids {
            let number = Int.random(in: 0...3, using: &generator)
            let text = number == 0 ? nil : "t\(number)"
            let parent =
                Bool.random(using: &generator)
                ? nil : known[Int.random(in: 0..<known.count, using: &generator)]
            oracle.nodes[id] = (text, parent)
            nodes += "\(id),\(text ?? ""),\(parent.map { "\($0)" } ?? "")\n"
        }
        var links = "NodeId,TagId\n"
        for _ in 0..<Int.random(in: 1...20, using: &generator) {
            let node = known[Int.random(in: 0..<known.count, using: &generator)]
            let tag = Int.random(in: 1...5, using: &generator)
            oracle.links[node, default: []].insert(tag)
            links += "\(node),\(tag)\n"
        }
        return [
            "Node.csv": nodes, "NodeTag.csv": links,
            "Tag.csv": "TagId,Name\n1,a\n2,b\n3,c\n4,d\n5,e\n",
        ]
    }
}
