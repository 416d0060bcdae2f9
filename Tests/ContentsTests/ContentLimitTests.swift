// SPDX-License-Identifier: Apache-2.0

import Contents
import Testing

/// The greatest depth and size of contents, and which values have the same bytes.
@Suite struct ContentLimitTests {
    /// How something lies in the value around it.
    enum Way: String, CaseIterable, Sendable {
        case list, field, nestedList, nestedField, optional, set
    }

    /// A number within values that lie within each other.
    struct Nest: Codable, Hashable {
        let way: Way
        let depth: Int

        enum Key: CodingKey { case inner }

        init(_ way: Way, depth: Int) {
            self.way = way
            self.depth = depth
        }

        func encode(to encoder: any Encoder) throws {
            guard depth > 0 else {
                var container = encoder.singleValueContainer()
                return try container.encode(7)
            }
            let inner = Nest(way, depth: depth - 1)
            switch way {
            case .list:
                var container = encoder.unkeyedContainer()
                try container.encode(inner)
            case .field:
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(inner, forKey: .inner)
            case .nestedList:
                var container = encoder.unkeyedContainer()
                for _ in 1..<depth { container = container.nestedUnkeyedContainer() }
                try container.encode(7)
            case .nestedField:
                var container = encoder.container(keyedBy: Key.self)
                for _ in 1..<depth {
                    container = container.nestedContainer(keyedBy: Key.self, forKey: .inner)
                }
                try container.encode(7, forKey: .inner)
            case .optional:
                var container = encoder.unkeyedContainer()
                try container.encode(Optional(Optional(inner)))
            case .set:
                var container = encoder.singleValueContainer()
                try container.encode([inner] as Set)
            }
        }

        /// Reads the list form alone.
        init(from decoder: any Decoder) throws {
            way = .list
            if var container = try? decoder.unkeyedContainer() {
                depth = try container.decode(Nest.self).depth + 1
            } else {
                depth = 0
            }
        }
    }

    @Test(arguments: Way.allCases)
    func whatIsWrittenIsReadToTheGreatestDepth(_ way: Way) throws {
        let bytes = try ContentEncoder.encode(Nest(way, depth: 128))
        let node = try ContentBytes.read(bytes)
        #expect(ContentBytes.make(node) == bytes)
        do {
            _ = try ContentEncoder.encode(Nest(way, depth: 129))
            Issue.record("129 deep was written")
        } catch let error as EncodingError {
            #expect(
                ContentDecoder.text(of: error)
                    .hasSuffix("values lie more than 128 deep within each other"))
        }
    }

    @Test func readersHaveTheSameLimit() throws {
        let lists = { (count: Int) in
            Array(repeating: [8, 1] as [UInt8], count: count).flatMap { $0 }
        }
        let deepest = lists(128) + [0]
        #expect(try ContentBytes.make(ContentBytes.read(deepest)) == deepest)
        #expect(throws: ContentDamage.self) { try ContentBytes.read(lists(129) + [0]) }
        let nest = try ContentDecoder.decode(
            Nest.self, from: ContentEncoder.encode(Nest(.list, depth: 128)))
        #expect(nest.depth == 128)
        #expect(
            try ContentEncoder.encode(Nest(.list, depth: 128)) == lists(128) + [3, 14])
    }

    @Test func aValueThatContainsItselfIsAnError() {
        final class Loop: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(self)
            }
        }
        #expect(throws: EncodingError.self) { try ContentEncoder.encode(Loop()) }
    }

    @Test func whatIsWrittenIsReadToTheGreatestSize() throws {
        // A tag, and four bytes of a size.
        let longest = String(repeating: "x", count: (16 << 20) - 5)
        let bytes = try ContentEncoder.encode(longest)
        #expect(bytes.count == 16 << 20)
        #expect(try ContentDecoder.decode(String.self, from: bytes) == longest)
        do {
            _ = try ContentEncoder.encode(longest + "x")
            Issue.record("one byte too many was written")
        } catch let error as EncodingError {
            #expect(
                ContentDecoder.text(of: error)
                    == "it takes 16777217 bytes; at most 16777216 are kept")
        }
        #expect(throws: ContentDamage.self) { try ContentBytes.read(bytes + [0]) }
    }

    @Test func equalityOfATypeIsNotThatOfBytes() throws {
        let (one, two) = ("\u{E9}", "e\u{301}")
        #expect(one == two)
        #expect(try ContentEncoder.encode(one) == [7, 2, 0xC3, 0xA9])
        #expect(try ContentEncoder.encode(two) == [7, 3, 0x65, 0xCC, 0x81])
        #expect(try ContentEncoder.encode([one: 1]) != ContentEncoder.encode([two: 1]))
        #expect(try ContentEncoder.encode(0.0) == [6, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(try ContentEncoder.encode(-0.0) == [6, 0, 0, 0, 0, 0, 0, 0, 0x80])
        // NaN is not equal to itself, and has the same bytes.
        #expect(try ContentEncoder.encode(Double.nan) == ContentEncoder.encode(Double.nan))
        #expect(
            try ContentEncoder.encode(Double.nan)
                != ContentEncoder.encode(Double(nan: 1, signaling: false)))
        struct Caseless: Encodable, Equatable {
            let text: String
            static func == (left: Caseless, right: Caseless) -> Bool {
                left.text.lowercased() == right.text.lowercased()
            }
        }
        #expect(Caseless(text: "Argo") == Caseless(text: "ARGO"))
        #expect(
            try ContentEncoder.encode(Caseless(text: "Argo"))
                != ContentEncoder.encode(Caseless(text: "ARGO")))
    }
}
