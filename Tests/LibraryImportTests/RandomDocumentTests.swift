// SPDX-License-Identifier: Apache-2.0

import LibraryImport
import Testing
import _TestSupport

/// Writes random documents and compares what is read with what was written.
@Suite struct RandomDocumentTests {
    static let alphabet = Array("ab\"\\/,;\n\r\t \u{1}é€😀{}[]:0")

    static func text(_ generator: inout SeededGenerator) -> String {
        let count = Int.random(in: 0...12, using: &generator)
        return String((0..<count).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
    }

    /// White space of JSON.
    static func space(_ generator: inout SeededGenerator) -> String {
        ["", "", " ", "\n", "\t\r\n"].randomElement(using: &generator) ?? ""
    }

    static func quoted(_ text: String, _ generator: inout SeededGenerator) -> String {
        var result = "\""
        for unit in text.utf16 {
            guard let scalar = UnicodeScalar(unit), unit < 0x80, unit >= 0x20, unit != 0x22,
                unit != 0x5C, Int.random(in: 0..<8, using: &generator) > 0
            else {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                continue
            }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }

    /// A value as JSON and as the tests show it.
    static func value(_ generator: inout SeededGenerator) -> (json: String, shown: String) {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return ("null", "null")
        case 1: return ("true", "true")
        case 2:
            let number =
                Int64.random(in: .min ... .max, using: &generator)
                >> Int64.random(in: 0..<64, using: &generator)
            return ("\(number)", "i:\(number)")
        case 3:
            let digits = Int.random(in: 0..<1000, using: &generator)
            let text = "\(digits).\(digits)e\(digits % 7 - 3)"
            return (text, "n:" + text)
        case 4:
            let number = Int.random(in: -9...9, using: &generator)
            return ("[\(space(&generator))\(number) ,{} ]", "j:[\(number),{}]")
        default:
            let text = text(&generator)
            return (quoted(text, &generator), "t:" + text)
        }
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func readsJSON(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var json = "["
        var expected: [[String]] = []
        var repeats: [Bool] = []
        let names = ["a", "b\"", "cé", "dd", "e"]
        for index in 0..<Int.random(in: 0...6, using: &generator) {
            json += (index == 0 ? "" : ",") + Self.space(&generator) + "{"
            var shown: [String: String] = [:]
            var isRepeated = false
            for member in 0..<Int.random(in: 0...7, using: &generator) {
                let name = names.randomElement(using: &generator) ?? "a"
                let value = Self.value(&generator)
                json += (member == 0 ? "" : ",") + Self.space(&generator)
                json += Self.quoted(name, &generator) + Self.space(&generator) + ":"
                json += Self.space(&generator) + value.json + Self.space(&generator)
                isRepeated = isRepeated || shown[name] != nil
                shown[name] = shown[name] ?? value.shown
            }
            json += "}" + Self.space(&generator)
            expected.append(shown.map { "\($0)=\($1)" }.sorted())
            repeats.append(isRepeated)
        }
        json += "]"
        let size = Int.random(in: 1...40, using: &generator)
        let read = try rows(.json, json, chunkSize: size)
        #expect(read.map { $0.fields.sorted() } == expected, "seed \(seed): \(json)")
        #expect(read.map { $0.problem != nil } == repeats, "seed \(seed): \(json)")
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func readsCSV(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let columns = Int.random(in: 2...4, using: &generator)
        var csv = (0..<columns).map { "c\($0)" }.joined(separator: ",")
        var expected: [[String]] = []
        let end = ["\n", "\r\n", "\r"].randomElement(using: &generator) ?? "\n"
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            csv += end
            var shown: [String] = []
            for column in 0..<columns {
                let text = Self.text(&generator)
                let mustQuote = text.unicodeScalars.contains {
                    ",\"\r\n".unicodeScalars.contains($0)
                }
                let isQuoted = mustQuote || Bool.random(using: &generator)
                let doubled = text.split(separator: "\"", omittingEmptySubsequences: false)
                    .joined(separator: "\"\"")
                csv += (column == 0 ? "" : ",") + (isQuoted ? "\"\(doubled)\"" : text)
                let empty = isQuoted ? "empty" : "null"
                shown.append("c\(column)=" + (text.isEmpty ? empty : "t:" + text))
            }
            expected.append(shown)
        }
        let size = Int.random(in: 1...40, using: &generator)
        let read = try rows(.csv, csv, chunkSize: size).map(\.fields)
        #expect(read == expected, "seed \(seed): \(csv.debugDescription)")
    }

    /// Damaged documents end in rows or in an error with a place, never in a trap.
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func survivesDamage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for (format, text) in ChunkBoundaryTests.documents {
            for _ in 0..<20 {
                var bytes = Array(text.utf8)
                for _ in 0...Int.random(in: 0...2, using: &generator) {
                    let index = Int.random(in: 0..<bytes.count, using: &generator)
                    bytes[index] = UInt8.random(in: 0...255, using: &generator)
                }
                bytes.removeLast(Int.random(in: 0...3, using: &generator))
                if let error = readError(format, bytes) {
                    #expect(error.line != nil && error.column != nil, "seed \(seed)")
                }
            }
        }
    }
}
