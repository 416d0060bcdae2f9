// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

@testable import LodeTool

/// Names and values that a terminal would obey.
@Suite struct TerminalTextTests {
    private static let hostile = "a\u{1B}]0;x\u{7}\r\u{9B}2J\u{202E}b"

    @Test func obeyedCharactersAreShown() {
        #expect(TerminalText.escaped("plain") == "plain")
        #expect(TerminalText.escaped("Žluťoučký 👩‍👩‍👧 עברית") == "Žluťoučký 👩‍👩‍👧 עברית")
        #expect(
            TerminalText.escaped(Self.hostile)
                == #"a\u{1B}]0;x\u{7}\u{D}\u{9B}2J\u{202E}b"#)
        #expect(TerminalText.escapedLines("a\nb\u{8}") == "a\nb\\u{8}")
        for scalar: Unicode.Scalar in ["\u{7F}", "\u{85}", "\u{200F}", "\u{2066}", "\u{2028}"] {
            #expect(TerminalText.isObeyed(scalar))
        }
    }

    /// A store whose entity has a name that no program would give by accident.
    private func makeStore(at path: String) throws {
        let entity = NSEntityDescription(name: "E\u{1B}[2J")
        entity.properties = [NSAttributeDescription(name: "n\u{202E}ame", type: .string)]
        let model = NSManagedObjectModel(entities: [entity])
        let container = NSPersistentContainer(name: "Hostile", managedObjectModel: model)
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: URL(fileURLWithPath: path))
        ]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        let object = NSManagedObject(entity: entity, insertInto: container.viewContext)
        object.setValue(Self.hostile, forKey: "n\u{202E}ame")
        try container.viewContext.save()
    }

    @Test func tablesAndErrorsShowThem() throws {
        try withTool { tool throws in
            try makeStore(at: tool.store)
            let inspected = tool.lode("inspect", tool.store)
            #expect(inspected.status == 0)
            #expect(inspected.output.contains(#"E\u{1B}[2J  1 object"#))
            let table = tool.lode("query", tool.store, "E\u{1B}[2J")
            #expect(table.output.contains(#"n\u{202E}ame"#))
            #expect(table.output.contains(#"a\u{1B}]0;x\u{7} \u{9B}2J\u{202E}b"#))
            let missing = tool.lode("query", tool.store, "Nothing")
            #expect(missing.status == 1)
            #expect(missing.error.contains(#"the store has E\u{1B}[2J"#))
            for text in [inspected.output, table.output, missing.error] {
                #expect(!text.unicodeScalars.contains { $0 != "\n" && TerminalText.isObeyed($0) })
            }
        }
    }

    @Test func machinesGetEveryCharacter() throws {
        try withTool { tool throws in
            try makeStore(at: tool.store)
            let csv = tool.lode("query", tool.store, "E\u{1B}[2J", "--format", "csv")
            #expect(csv.output.contains("\"\(Self.hostile)\""))
            let json = tool.lode("query", tool.store, "E\u{1B}[2J", "--format", "json")
            let shown = json.output.unicodeScalars.filter { $0 != "\n" }
            #expect(!shown.contains { TerminalText.isObeyed($0) })
            let rows = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
            #expect((rows as? [[String: String]]) == [["n\u{202E}ame": Self.hostile]])
        }
    }
}
