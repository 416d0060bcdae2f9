// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ManagedObjects

/// The bytes of transformable values are those that Foundation writes, and are read as it does.
@Suite struct PlainListTests {
    private func bytes(_ value: Any) throws -> [UInt8] {
        PlainListWriter.bytes(of: .table([("value", try #require(PlainList(value)))]))
    }

    private func hex(_ value: Any) throws -> String {
        try bytes(value).map { String(format: "%02x", $0) }.joined()
    }

    private func read(_ value: Any) throws -> Any {
        let list = try #require(PlainListReader.list(of: try bytes(value)))
        #expect(list["value"] != nil)
        let transformer = NSSecureUnarchiveFromDataTransformer()
        return try #require(transformer.reverseTransformedValue(Data(try bytes(value))))
    }

    /// What Foundation wrote of them before.
    @Test func bytesAreThoseOfFoundation() throws {
        #expect(
            try hex(["a", "é", "b", "a", "a long text of more than fifteen"])
                == "62706c6973743030d101025576616c7565a5030405060751616100e9516251615f102061206c"
                + "6f6e672074657874206f66206d6f7265207468616e206669667465656e080b1117191c1e2000"
                + "00000000000101000000000000000800000000000000000000000000000043")
        #expect(
            try hex([1, 2, 300, 70000, -1, 1 << 40, 1])
                == "62706c6973743030d101025576616c7565a7030405060708031001100211012c120001117013"
                + "ffffffffffffffff130000010000000000080b11191b1d20252e000000000000010100000000"
                + "0000000900000000000000000000000000000037")
        #expect(
            try hex([true, false])
                == "62706c6973743030d101025576616c7565a203040908080b1114150000000000000101000000"
                + "000000000500000000000000000000000000000016")
        #expect(
            try hex([1, 1.0, true, Float(1)] as [Any])
                == "62706c6973743030d101025576616c7565a4030405061001233ff000000000000009223f8000"
                + "00080b1116182122000000000000010100000000000000070000000000000000000000000000"
                + "0027")
        #expect(
            try hex([Data([1, 2, 3]), Data([1, 2, 3])])
                == "62706c6973743030d101025576616c7565a203044301020343010203080b1114180000000000"
                + "00010100000000000000050000000000000000000000000000001c")
        #expect(
            try hex("")
                == "62706c6973743030d101025576616c756550080b110000000000000101000000000000000300"
                + "000000000000000000000000000012")
        #expect(
            try hex([[1], [], ["a"]] as [Any])
                == "62706c6973743030d101025576616c7565a3030506a1041001a0a1075161080b111517191a1c"
                + "000000000000010100000000000000080000000000000000000000000000001e")
        // Foundation writes a second flag, to which nothing refers.
        #expect(
            try hex([true, true])
                == "62706c6973743030d101025576616c7565a203030909080b1114150000000000000101000000"
                + "000000000500000000000000000000000000000016")
        let numbers: [Any] = [
            0.0, -0.0, 1.0, 1.0, 2.5, 2.5, 0, 12, 12, 13, 13, -1, -1, 65535, 65536,
        ]
        let list: Any = ["value": numbers + [true, false, true]]
        let data = try PropertyListSerialization.data(
            fromPropertyList: list, format: .binary, options: 0)
        #expect(try bytes(numbers + [true, false, true]) == Array(data))
        for text in [[], ["x"], (0..<300).map { "\($0)" }] {
            let list: Any = ["value": text]
            let data = try PropertyListSerialization.data(
                fromPropertyList: list, format: .binary, options: 0)
            #expect(try bytes(text) == Array(data))
        }
    }

    @Test func numbersAreReadAsFoundationDoes() throws {
        let numbers = try #require(
            try read([1, 13, -1, -2, Int.min, Int.max]) as? [NSNumber])
        #expect(numbers.map { String(cString: $0.objCType) } == ["i", "q", "i", "q", "q", "q"])
        #expect(numbers.map(\.int64Value) == [1, 13, -1, -2, .min, .max])
        let reals = try #require(try read([0.5, -0.0] as [Double]) as? [NSNumber])
        #expect(reals.map { String(cString: $0.objCType) } == ["d", "d"])
        #expect(reals[1].doubleValue.sign == .minus)
        let singles = try #require(try read([1.5] as [Float]) as? [NSNumber])
        #expect(String(cString: singles[0].objCType) == "f")
        #expect(try read(true) as? Bool == true)
    }

    @Test func valuesComeBack() throws {
        let id = try #require(UUID(uuidString: "01020304-0506-0708-090A-0B0C0D0E0F10"))
        let day = Date(timeIntervalSinceReferenceDate: 5.25)
        let data = Data(repeating: 7, count: 70_000)
        #expect(try read("e\u{301}🎈") as? String == "e\u{301}🎈")
        #expect(
            try read(["é", "e\u{301}"]) as? [String] == ["é", "e\u{301}"])
        let texts = try #require(try read(["é", "e\u{301}"]) as? [String])
        #expect(texts.map(\.utf8.count) == [2, 3])
        #expect(try read(id) as? UUID == id)
        #expect(try read(day) as? Date == day)
        #expect(try read([day]) as? [Date] == [day])
        #expect(try read([data, data]) as? [Data] == [data, data])
        #expect(try read(NSNull()) is NSNull)
        #expect(try read(URL(string: "http://a/b")!) as? URL == URL(string: "http://a/b"))
        #expect(try read(Set(["a", "b"])) as? Set<AnyHashable> == ["a", "b"])
        #expect(
            try read(["a": ["b": [1, 2]]]) as? [String: [String: [Int]]] == ["a": ["b": [1, 2]]])
        #expect(
            try read(["$class": "Date", "$value": "x"]) as? [String: String]
                == ["$class": "Date", "$value": "x"])
        #expect(try read([[1], [], ["a"]] as [Any]) as? [[AnyHashable]] != nil)
    }

    @Test func whatIsUnusualIsLeftToFoundation() {
        #expect(PlainList(NSNumber(value: 1)) == nil)
        #expect(PlainList(["a", NSString("b")] as [Any]) == nil)
        #expect(PlainList(["a": UInt64.max]) == nil)
        #expect(PlainList(Decimal(1)) == nil)
        #expect(PlainList([1: "a"]) == nil)
    }

    /// Bytes that are cut or wrong are refused, or read as something else, and nothing traps.
    @Test func damagedBytesAreNoTrap() throws {
        let healthy = try bytes(
            [
                "list": ["a", "ü", "b"], "table": ["x": 1.5, "y": true], "day": Date(),
                "data": Data([1, 2, 3]), "many": Array(0..<40),
            ] as [String: Any])
        for count in healthy.indices {
            _ = PlainListReader.list(of: Array(healthy[..<count]))
        }
        for place in healthy.indices {
            for byte: UInt8 in [0, 1, 0x0f, 0x1f, 0x5f, 0x7f, 0xa1, 0xaf, 0xd1, 0xdf, 0xff] {
                var bytes = healthy
                bytes[place] = byte
                _ = PlainListReader.list(of: bytes)
            }
        }
    }

    /// A list that is its own member would be read for ever.
    @Test func circlesAreRefused() {
        let bytes: [UInt8] =
            Array("bplist00".utf8) + [0xa1, 0] + [8]
            + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0]
            + [0, 0, 0, 0, 0, 0, 0, 10]
        #expect(PlainListReader.list(of: bytes) == nil)
    }
}
