// SPDX-License-Identifier: Apache-2.0

import Lode

/// Imports files from anywhere.
struct TextWork: BatchWork {
    enum Format: String {
        case csv, json
    }

    private let seed: UInt64
    private let folder: String
    private let format: Format

    init(_ options: FaultArguments, _ format: Format) throws {
        seed = options.seed
        folder = options.folder
        self.format = format
    }

    func run(_ step: Int) throws -> String {
        var random = FaultRandom(seed, format.rawValue, step)
        let name = format == .csv ? "Book.csv" : random.pick(["books.json", "Book.jsonl"])
        let source = URL(fileURLWithPath: "\(folder)/\(name)")
        let target = URL(fileURLWithPath: folder + "/imported.lode")
        defer {
            for url in [source, target, URL(fileURLWithPath: target.path + "-lock")] {
                try? FileManager.default.removeItem(at: url)
            }
        }
        let text =
            format == .csv ? csv(&random) : json(&random, lines: name.hasSuffix("l"))
        var bytes = Array(text.utf8)
        for _ in 0..<random.pick([0, 0, 1, 5]) { spoil(&bytes, &random) }
        try Data(bytes).write(to: source)
        let importer: LibraryImporter
        do { importer = try LibraryImporter(path: source.path, into: target) } catch {
            return "refused"
        }
        guard random.chance(3) else { return "surveyed" }
        do { _ = try importer.load() } catch {
            guard !FileManager.default.fileExists(atPath: target.path) else {
                throw Violation("an import that failed has left a store: \(error)")
            }
            return "not imported"
        }
        try NSPersistentStore.verify(at: target)
        return "imported"
    }

    private func value(_ random: inout FaultRandom) -> String {
        random.pick([
            "1", "-3", "2.5", "", "true", "2020-01-02", "2020-13-45T99:99:99Z", "1e400", "x",
            "Title, with \"quotes\"", "9223372036854775808", "é", "\u{0}", "  ", "NaN", "0x10",
            "6F9619FF-8B86-D011-B42D-00CF4FC964FF", "aGVsbG8=", "{1,2}", "[\"a\",\"b\"]", "{}",
            "null",
            String(repeating: "y", count: random.below(300)),
        ])
    }

    private func csv(_ random: inout FaultRandom) -> String {
        let separator = random.pick([",", ",", ";", "\t"])
        let columns = 1 + random.below(5)
        var text = (0..<columns).map {
            random.pick(["BookId", "Title", "A b", "id", "class", ""]) + ($0 == 0 ? "" : "\($0)")
        }
        .joined(separator: separator)
        for row in 0..<random.below(12) {
            text += random.pick(["\n", "\n", "\r\n"])
            text += (0..<columns).map { column in
                let value = column == 0 ? "\(row)" : self.value(&random)
                let isPlain = value.allSatisfy { $0.isLetter || $0.isNumber } || random.chance(5)
                return isPlain
                    ? value : "\"" + value.replacingOccurrences(of: "\"", with: "\"\"") + "\""
            }.joined(separator: separator)
        }
        return text
    }

    private func json(_ random: inout FaultRandom, lines: Bool) -> String {
        let rows = (0..<random.below(10)).map { _ in object(&random, 3) }
        if lines { return rows.joined(separator: "\n") }
        let list = "[" + rows.joined(separator: ",") + "]"
        return random.chance(2) ? list : "{\"Book\": \(list), \"Shelf\": []}"
    }

    private func object(_ random: inout FaultRandom, _ depth: Int) -> String {
        let members = (0..<random.below(6)).map { _ in
            let key = random.pick([
                "BookId", "id", "title", "shelf", "a b", "", "class", "\\u00e9", "tags",
            ])
            return "\"\(key)\":" + element(&random, depth)
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private func element(_ random: inout FaultRandom, _ depth: Int) -> String {
        switch random.below(depth > 0 ? 8 : 5) {
        case 0:
            return random.pick(["1", "-2", "3.5", "1e5", "1E400", "-0", "12345678901234567890"])
        case 1: return random.pick(["true", "false", "null"])
        case 2, 3, 4:
            let text = value(&random).replacingOccurrences(of: "\\", with: "\\\\")
            return "\"" + text.replacingOccurrences(of: "\"", with: "\\\"") + "\""
        case 5: return object(&random, depth - 1)
        default:
            return "["
                + (0..<random.below(4)).map { _ in element(&random, depth - 1) }
                .joined(separator: ",") + "]"
        }
    }

    private func spoil(_ bytes: inout [UInt8], _ random: inout FaultRandom) {
        let place = random.below(bytes.count + 1)
        switch random.below(6) {
        case 0: if place < bytes.count { bytes[place] ^= UInt8(1 << random.below(8)) }
        case 1: if place < bytes.count { bytes.remove(at: place) }
        case 2:
            let pieces = [
                "\"", ",", "\n", "\r", "{", "}", "[", "]", ":", "\\", "\\u", "\\ud800", "\0",
                "\u{FEFF}",
                "1e9999", "-", String(repeating: "[", count: 3_000),
                String(repeating: "{\"a\":", count: 2_000), String(repeating: "9", count: 5_000),
            ]
            bytes.insert(contentsOf: Array(random.pick(pieces).utf8), at: place)
        case 3:
            let end = min(bytes.count, place + random.below(40))
            bytes.insert(contentsOf: bytes[place..<end], at: random.below(bytes.count + 1))
        case 4: bytes.removeSubrange(place..<min(bytes.count, place + random.below(30)))
        default: bytes.insert(UInt8(random.below(256)), at: place)
        }
    }
}
