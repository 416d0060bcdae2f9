// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing
import _TestSupport

@Suite struct ByteCodingTests {
    @Test func integersAreLittleEndian() throws {
        var writer = ByteWriter()
        writer.write(UInt16(0x0102))
        writer.write(Int32(-2))
        writer.write(UInt64(0x0102_0304_0506_0708))
        writer.write(true)
        #expect(
            writer.bytes == [2, 1, 0xFE, 0xFF, 0xFF, 0xFF, 8, 7, 6, 5, 4, 3, 2, 1, 1])
        var reader = ByteReader(writer.bytes)
        #expect(try reader.read(UInt16.self) == 0x0102)
        #expect(try reader.read(Int32.self) == -2)
        #expect(try reader.read(UInt64.self) == 0x0102_0304_0506_0708)
        #expect(try reader.readFlag())
        #expect(reader.isAtEnd)
        try reader.expectEnd(of: "the sample")
    }

    @Test(arguments: AttributeType.allCases)
    func valuesRoundTrip(type: AttributeType) throws {
        for value in type.extremes + [.null] {
            var writer = ByteWriter()
            writer.write(value)
            var reader = ByteReader(writer.bytes)
            #expect(try reader.readValue() == value)
            #expect(reader.isAtEnd)
            for count in 0..<writer.bytes.count {
                var reader = ByteReader(Array(writer.bytes.prefix(count)))
                #expect(throws: RecordFormatError.self) { try reader.readValue() }
            }
        }
    }

    @Test func optionalText() throws {
        var writer = ByteWriter()
        writer.write(String?.none)
        writer.write(String?.some("é"))
        #expect(writer.bytes == [0, 1, 2, 0, 0, 0, 0xC3, 0xA9])
        var reader = ByteReader(writer.bytes)
        #expect(try reader.readOptionalText() == nil)
        #expect(try reader.readOptionalText() == "é")
    }

    @Test func errorsSayWhere() {
        func failure(_ bytes: [UInt8], _ body: (inout ByteReader) throws -> Void) -> String {
            var reader = ByteReader(bytes)
            do {
                try body(&reader)
                return "no error"
            } catch { return "\(error)" }
        }
        #expect(
            failure([1, 2, 3]) { _ = try $0.read(UInt32.self) }
                == "4 bytes expected at offset 0, 3 left")
        #expect(
            failure([255, 255, 255, 255, 1]) { _ = try $0.readData() }
                == "4294967295 bytes expected at offset 4, 1 left")
        #expect(
            failure([2, 0, 0, 0, 1]) { _ = try $0.readCount() }
                == "2 elements announced, 1 bytes left")
        #expect(
            failure([1, 0, 0, 0, 0xFF]) { _ = try $0.readText() }
                == "the text at offset 0 is not UTF-8")
        #expect(failure([7, 0]) { _ = try $0.readValue() } == "7 is no attribute type")
        #expect(
            failure([7, 0]) { try $0.expectEnd(of: "the header") }
                == "2 bytes follow the end of the header")
    }

    @Test func unnormalisedDecimalsAreNormalised() throws {
        var writer = ByteWriter()
        writer.write(AttributeType.decimal.rawValue)
        writer.write(UInt128(100))
        writer.write(Int16(-1))
        writer.write(true)
        var reader = ByteReader(writer.bytes)
        let expected = DecimalValue(significand: 1, exponent: 1, isNegative: true)
        #expect(try reader.readValue() == .decimal(expected))
    }
}
