// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing

@Suite struct ValueTests {
    @Test func equalityIsThatOfStoredBytes() {
        #expect(Value.double(.nan) == .double(.nan))
        #expect(Value.double(0.0) != .double(-0.0))
        #expect(Value.integer16(1) != .integer32(1))
        #expect(Value.string("e\u{301}") != .string("é"))
        #expect(Value.string("a") != .uri("a"))
        #expect(Value.null != .boolean(false))
        #expect(Value.null.isNull && Value.null.type == nil)
    }

    @Test func equalValuesHashAlike() {
        let distinct: [Value] = [
            .null, .integer16(1), .integer32(1), .integer64(1),
            .decimal(DecimalValue(significand: 1, exponent: 0, isNegative: false)), .double(1),
            .float(1), .string("1"), .boolean(true), .date(1), .binaryData([1]),
            .uuid(UUIDValue(high: 0, low: 1)), .uri("1"), .transformable([1]),
            .objectID(ObjectKey(rawValue: 1)),
        ]
        #expect(Set(distinct + distinct).count == 15)
        #expect(distinct.compactMap(\.type) == AttributeTypeOrder.all)
    }

    @Test func objectKeys() {
        let key = ObjectKey(entity: EntityNumber(rawValue: 3), row: 17)
        #expect(key.rawValue == 0x0003_0000_0000_0011)
        #expect(key.description == "3/p17")
        #expect(key.entity.rawValue == 3 && key.row == 17 && !key.isTemporary)
        let temporary = ObjectKey(rawValue: key.rawValue | ObjectKey.temporaryBit)
        #expect(temporary.description == "3/t17")
        #expect(temporary.isTemporary)
        let last = ObjectKey(entity: EntityNumber(rawValue: .max), row: ObjectKey.rowMask)
        #expect(last.rawValue == .max)
        #expect(key < last)
    }
}

/// The types in the order of the cases of `Value`.
private enum AttributeTypeOrder {
    static let all: [AttributeType] = [
        .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
        .binaryData, .uuid, .uri, .transformable, .objectID,
    ]
}

@Suite struct UUIDValueTests {
    private let text = "00112233-4455-6677-8899-AABBCCDDEEFF"

    @Test func textBothWays() {
        let uuid = UUIDValue(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)
        #expect(uuid.description == text)
        #expect(UUIDValue(text) == uuid)
        #expect(UUIDValue(text.lowercased()) == uuid)
        #expect(UUIDValue(high: 0, low: 0).description == "00000000-0000-0000-0000-000000000000")
        #expect(
            UUIDValue(high: .max, low: .max).description
                == "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF")
    }

    @Test(arguments: [
        "", "00112233-4455-6677-8899-AABBCCDDEEF", "00112233-4455-6677-8899-AABBCCDDEEFF0",
        "001122334455-6677-8899-AABBCCDDEEFF-", "00112233-4455-6677-8899-AABBCCDDEEFG",
        "00112233 4455-6677-8899-AABBCCDDEEFF", "0011223344556677-8899-AABB-CCDDEEFF-",
        "00112233-4455-6677-8899-AABBCCDDEE\u{e9}",
    ])
    func textThatIsNone(text: String) {
        #expect(UUIDValue(text) == nil)
    }

    @Test func orderIsThatOfTheText() {
        let sorted = [
            UUIDValue(high: 0, low: .max), UUIDValue(high: 1, low: 0), UUIDValue(high: 1, low: 1),
            UUIDValue(high: .max, low: 0),
        ]
        #expect(sorted.shuffled().sorted() == sorted)
        #expect(sorted.map(\.description).sorted() == sorted.map(\.description))
    }

    @Test func randomIdentifiersAreOfVersionFour() {
        let first = UUIDValue.random()
        for identifier in [first, UUIDValue.random()] {
            let text = Array(identifier.description)
            #expect(text[14] == "4")
            #expect("89AB".contains(text[19]))
        }
        #expect(first != UUIDValue.random())
    }
}
