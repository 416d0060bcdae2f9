// SPDX-License-Identifier: Apache-2.0

import Contents
import Foundation
import Testing

/// Values of all shapes, to bytes and back.
@Suite struct ContentCodingTests {
    enum Mood: Codable, Equatable {
        case calm
        case angry(at: String, times: Int)
        case wrapped([String: Double?])
    }

    struct Everything: Codable, Equatable {
        var text = "naïve 👩‍🚀"
        var small = Int8.min
        var large = UInt64.max
        var numbers: [Int?] = [nil, 0, -1, .max, .min]
        var single = Float(0.1)
        var double = -0.0
        var mood = Mood.angry(at: "me", times: 3)
        var moods: [Mood] = [.calm, .wrapped(["a": nil, "b": 1.5])]
        var byNumber: [Int: String] = [2: "two", -1: "minus one"]
        var nothing: String?
        var data = Data([0, 1, 255])
        var url = URL(string: "https://example.org/a?b=c")
        var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        var date = Date(timeIntervalSinceReferenceDate: 700_000_000.125)
        var decimal = Decimal(string: "-12345678901234567890.0625")
        var set: Set<String> = ["x", "y", "z"]
        var pairs: [UUID: Int] = [UUID(): 1, UUID(): 2, UUID(): 3]
    }

    struct ID: Codable, Hashable, ContentReference {
        let contentReference: UInt64
        init(contentReference: UInt64) { self.contentReference = contentReference }
    }

    private func again<Value: Codable>(_ value: Value) throws -> Value {
        try ContentDecoder.decode(Value.self, from: try ContentEncoder.encode(value))
    }

    @Test func everyShapeComesBack() throws {
        let value = Everything()
        #expect(try again(value) == value)
        #expect(try again([value, value]).count == 2)
        #expect(try again("text") == "text")
        #expect(try again(Int?.none) == nil)
        #expect(try again(Double.nan).isNaN)
        #expect(try again(Double.infinity) == .infinity)
    }

    @Test func formsAreAsTheDocumentSays() throws {
        struct Name: Codable {
            var text = "Ada", tags = ["a"], age: Int?, id = ID(contentReference: 7)
        }
        #expect(
            try ContentEncoder.encode(Name()) == [
                9, 3,
                2, 0x69, 0x64, 10, 7, 0, 0, 0, 0, 0, 0, 0,
                4, 0x74, 0x61, 0x67, 0x73, 8, 1, 7, 1, 0x61,
                4, 0x74, 0x65, 0x78, 0x74, 7, 3, 0x41, 0x64, 0x61,
            ])
        #expect(try ContentEncoder.encode(-2) == [3, 3])
        #expect(try ContentEncoder.encode(300) == [3, 0xD8, 4])
        #expect(try ContentEncoder.encode(1.0) == [6, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
        #expect(try ContentEncoder.encode([true, false]) == [8, 2, 2, 1])
    }

    @Test func equalValuesGiveEqualBytes() throws {
        let words = (0..<100).map { "word \($0)" }
        let ids = (0..<100).map { ID(contentReference: $0) }
        func make(_ order: [Int]) throws -> [[UInt8]] {
            var texts: [String: Int] = [:]
            var pairs: [ID: String] = [:]
            var set: Set<ID> = []
            for index in order {
                texts[words[index]] = index
                pairs[ids[index]] = words[index]
                set.insert(ids[index])
            }
            return [
                try ContentEncoder.encode(texts), try ContentEncoder.encode(pairs),
                try ContentEncoder.encode(set),
            ]
        }
        #expect(try make(Array(0..<100)) == make(Array((0..<100).reversed())))
        #expect(try again(Set(ids)) == Set(ids))
        #expect(try again(Dictionary(uniqueKeysWithValues: zip(ids, words))).count == 100)
    }

    @Test func referencesAreFoundWithoutTheType() throws {
        struct Team: Codable, Equatable { var leader: ID?, members: [ID], byName: [String: ID] }
        let team = Team(
            leader: ID(contentReference: 1), members: [ID(contentReference: 2)],
            byName: ["x": ID(contentReference: 3)])
        let node = try ContentBytes.read(try ContentEncoder.encode(team))
        let bytes = ContentBytes.make(node.replacingReferences { $0 + 10 })
        let moved = try ContentDecoder.decode(Team.self, from: bytes)
        #expect(moved.leader?.contentReference == 11)
        #expect(moved.members.map(\.contentReference) == [12])
        #expect(moved.byName["x"]?.contentReference == 13)
        #expect(
            node.json { "#\($0)" } == ##"{"byName":{"x":"#3"},"leader":"#1","members":["#2"]}"##)
    }

    @Test func aTypeMayBeCodedAsOneReference() throws {
        struct Target: Codable, Equatable {
            let id: Int

            init(_ id: Int) { self.id = id }

            init(from decoder: any Decoder) throws {
                let found = try decoder.singleValueContainer().decode(ID.self)
                id = Int(found.contentReference)
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(ID(contentReference: UInt64(id)))
            }
        }
        struct Aim: Codable, Equatable { var first: Target, second: Target?, rest: [Target] }
        let aim = Aim(first: Target(1), second: Target(2), rest: [Target(3), Target(4)])
        let again = try ContentDecoder.decode(Aim.self, from: try ContentEncoder.encode(aim))
        #expect(again == aim)
        let wrong = try ContentEncoder.encode(ID(contentReference: 5))
        #expect(throws: DecodingError.self) { try ContentDecoder.decode(Int.self, from: wrong) }
        #expect(throws: DecodingError.self) { try ContentDecoder.decode(String.self, from: wrong) }
    }

    @Test func listsThatClaimToBeLongReserveNoMemory() {
        // 100 lists within each other, each of as many values as there are bytes left.
        var bytes: [UInt8] = []
        for _ in 0..<100 { bytes += [8, 0xFF, 0xFF, 0x7F] }
        bytes += [UInt8](repeating: 0xEE, count: 1 << 21)
        #expect(throws: ContentDamage.self) { try ContentBytes.read(bytes) }
    }

    private func complaint<Value: Codable>(_ type: Value.Type, _ bytes: [UInt8]) -> String? {
        let result = Result { try ContentDecoder.decode(type, from: bytes) }
        guard case .failure(let error) = result else { return nil }
        return ContentDecoder.text(of: error)
    }

    @Test func errorsNameThePlace() throws {
        struct Old: Codable { var inner = ["a", "b"] }
        struct New: Codable { var inner: [Int] }
        struct More: Codable { var inner: [String], other: Int }
        struct Optionally: Codable { var inner: [String], other: Int? }
        let bytes = try ContentEncoder.encode(Old())
        #expect(complaint(New.self, bytes) == "inner.0: there is a text, and Int is asked for")
        #expect(complaint(More.self, bytes) == "there is no value other")
        #expect(complaint(Optionally.self, bytes) == nil)
        let number = try ContentEncoder.encode(300)
        #expect(throws: DecodingError.self) {
            try ContentDecoder.decode(UInt8.self, from: number)
        }
        #expect(try ContentDecoder.decode(Double.self, from: number) == 300)
    }

    @Test func boundsAreErrors() throws {
        indirect enum Chain: Codable { case end, link(Chain) }
        var chain = Chain.end
        for _ in 0..<200 { chain = .link(chain) }
        let deep = chain
        #expect(throws: EncodingError.self) { try ContentEncoder.encode(deep) }
        let long = String(repeating: "x", count: ContentBytes.greatestCount)
        #expect(throws: EncodingError.self) { try ContentEncoder.encode(long) }
    }

    @Test func anyBytesAreAValueOrAnError() throws {
        let wrong: [[UInt8]] = [
            [], [11], [3], [3, 0x80, 0], [3] + Array(repeating: 0xFF, count: 10), [4, 5],
            [7, 5, 1],
            [7, 1, 0xFF], [8, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [0, 0],
            [9, 2, 1, 0x62, 0, 1, 0x61, 0],
            [9, 2, 1, 0x61, 0, 1, 0x61, 0], Array(repeating: 8, count: 1),
            Array(repeating: [8, 1], count: 200).flatMap { $0 } + [0],
        ]
        for bytes in wrong {
            #expect(throws: ContentDamage.self, "\(bytes)") { try ContentBytes.read(bytes) }
        }
        let whole = try ContentEncoder.encode(Everything())
        for end in whole.indices {
            #expect(throws: ContentDamage.self) { try ContentBytes.read(Array(whole[..<end])) }
        }
        for place in whole.indices {
            var bytes = whole
            bytes[place] ^= 0x81
            _ = try? ContentDecoder.decode(Everything.self, from: bytes)
            if let node = try? ContentBytes.read(bytes) {
                #expect(ContentBytes.make(node) == bytes)
            }
        }
    }

    @Test func keysAreThoseOfSHA256() {
        let hex = { (key: ContentKey) in
            key.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
        #expect(hex(ContentKey(of: [])) == "e3b0c44298fc1c149afbf4c8996fb924")
        #expect(hex(ContentKey(of: Array("abc".utf8))) == "ba7816bf8f01cfea414140de5dae2223")
        #expect(
            hex(ContentKey(of: Array(repeating: 0x61, count: 1_000)))
                == "41edece42d63e8d9bf515a9ba6932e1c")
        #expect(ContentKey(of: []) > ContentKey(of: Array("abc".utf8)))
    }
}
