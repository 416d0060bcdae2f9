// SPDX-License-Identifier: Apache-2.0

import ECS
import Lode
import Testing
import Worlds

@testable import LodeTool

/// A component with fields of many types.
private struct Various: ValueComponent {
    struct Pair {
        var left: UInt8
        var right: Int64
    }
    enum Colour: UInt8 { case red, green }

    var small: Int8
    var large: UInt64
    var pair: Pair
    var ratio: Float
    var exact: Double
    var isOn: Bool
    var friend: GameObjectID
    var colour: Colour
    static let componentName = "Various"
}

private struct Asleep: ValueComponent {
    static let componentName = "Asleep"
}

private struct Dozing: ValueComponent {
    static let componentName = "Dozing"
}

private struct Number: ValueComponent {
    static let componentName = "Number"
    var value: Int
}

private struct Hat: ValueComponent {
    enum Colour: UInt8 { case red, green }
    static let componentName = "Hat"
    var colour: Colour?
}

private struct Mixed: CodableComponent {
    static let componentName = "Mixed"
    var ratio: Double
    var limit: Float
    var large: UInt64
    var friend: GameObjectID
}

private struct Weather: ValueComponent {
    var rain: Float
    var isWindy: Bool
}

private enum Under: Worlds.Relationship { static let isExclusive = true }
private enum Near: Worlds.Relationship {}

private struct Title: CodableComponent {
    static let componentName = "Title"
    var text: String
    var level: Int?
    var friends: [GameObjectID] = []
}

@MainActor
@Suite struct ComponentCommandTests {
    /// Makes a store of three game objects.
    private func makeWorld(_ tool: ToolRun) throws {
        try makeStore(tool) { world in
            let first = world.spawn(
                Various(
                    small: -3, large: .max, pair: Various.Pair(left: 7, right: -8), ratio: 0.5,
                    exact: 1.25, isOn: true, friend: GameObjectID(rawValue: 3 << 48 | 17),
                    colour: .green))
            _ = world.spawn(Asleep())
            world[first, Asleep.self] = Asleep()
            _ = world.spawn(
                Various(
                    small: 0, large: 0, pair: Various.Pair(left: 0, right: 0), ratio: .infinity,
                    exact: -0.1, isOn: false, friend: first, colour: .red))
        }
    }

    @Test func inspectListsComponents() throws {
        try withTool { tool throws in
            try makeWorld(tool)
            let result = tool.lode("inspect", tool.store, "--verify")
            #expect(result.status == 0, "\(result.error)")
            let lines = result.output.split(separator: "\n").map(String.init)
            let start = try #require(lines.firstIndex { $0.hasPrefix("component ") })
            let words = lines[start..<start + 5].map {
                $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
            }
            #expect(words[0] == ["component", "fields", "values", "chunks", "bytes"])
            #expect(words[2] == ["Asleep", "2", "1", "2,096"])
            #expect(words[3] == ["GameObject", "3", "1", "2,096"])
            #expect(words[4].first == "Various")
            #expect(
                words[4].dropFirst().prefix(3)
                    == ["small:Int8@0", "large:UInt64@8", "pair.left:UInt8@16"])
            #expect(words[4].suffix(3).prefix(2) == ["2", "1"])
            #expect(lines.contains { $0.hasPrefix("columns  ") })
        }
    }

    @Test func codableComponentsHaveColumnsForTheirKeys() throws {
        try withTool { tool throws in
            try makeTitles(tool)
            let inspected = tool.lode("inspect", tool.store, "--verify")
            #expect(inspected.status == 0, "\(inspected.error)")
            let line = inspected.output.split(separator: "\n").first { $0.hasPrefix("Title ") }
            let words = line?.split(separator: " ", omittingEmptySubsequences: true)
            #expect(words.map { Array($0.prefix(4)) } == ["Title", "Codable", "2", "1"])
            let json = tool.lode("query", tool.store, "--components", "Title", "--format", "json")
            let ids = tool.lode("query", tool.store, "--components", "Title", "--format=csv")
                .output.split(separator: "\n").dropFirst()
                .map { String($0.prefix { $0 != "," }) }
            #expect(ids.count == 2)
            #expect(
                json.output == """
                    [
                      {"object": "\(ids[0])", "friends": "[]", "level": 3, "text": "Argo"},
                      {"object": "\(ids[1])", "friends": "[\\"\(ids[0])\\"]", "level": null, \
                    "text": "Beagle"}
                    ]

                    """)
        }
    }

    @Test func codableNumbersAndIDsLookAsInValueComponents() throws {
        try withTool { tool throws in
            try makeStore(tool) { world in
                let id = world.spawn()
                world.spawn(Mixed(ratio: 0.5, limit: .infinity, large: .max, friend: id))
            }
            let json = tool.lode("query", tool.store, "--components=Mixed", "--format=json")
            #expect(
                json.output.contains(
                    "\"large\": 18446744073709551615, \"limit\": \"inf\", \"ratio\": 0.5}"),
                "\(json.output)")
            let csv = tool.lode("query", tool.store, "--components=Mixed", "--format=csv").output
            let line = csv.split(separator: "\n").last ?? ""
            #expect(
                line.hasSuffix(",18446744073709551615,inf,0.5") && !line.contains("\""), "\(csv)")
        }
    }

    @Test func optionalEnumerationsAreReadWhereTheFileHasThem() throws {
        try withTool { tool throws in
            try makeStore(tool) { world in
                world.spawnAll([Hat(colour: .green), Hat(colour: nil), Hat(colour: .red)])
            }
            let json = tool.lode("query", tool.store, "--components=Hat", "--format=csv").output
            let colours = json.split(separator: "\n").map { $0.drop { $0 != "," } }
            #expect(colours == [",colour", ",green", ",", ",red"])
        }
    }

    @Test func replacedComponentsAreNoneAndSayWhy() throws {
        try withTool { tool throws in
            try makeStore(tool) { $0.spawn(Asleep()) }
            try makeStore(
                tool,
                migrations: [ColumnMigration(from: Asleep.self, to: Dozing.self) { _ in Dozing() }],
                { #expect($0.query(Dozing.self).count == 1) })
            let query = tool.lode("query", tool.store, "--components", "Asleep")
            #expect(query.status == 1)
            #expect(
                query.error.hasSuffix(
                    "there is no component Asleep, which was replaced by Dozing; the store has "
                        + "Dozing, GameObject\n"), "\(query.error)")
        }
    }

    @Test func limitsCountValuesOfAllChunks() throws {
        try withTool { tool throws in
            var ids: [GameObjectID] = []
            try makeStore(tool) { ids += $0.spawnAll((0..<20_000).map { Number(value: $0) }) }
            for (offset, limit, values) in [
                (8_190, 4, [8_190, 8_191, 8_192, 8_193]), (19_999, 5, [19_999]), (20_000, 1, []),
                (0, 1, [0]), (16_383, 2, [16_383, 16_384]), (3, Int.max, Array(3..<20_000)),
            ] {
                let found = tool.lode(
                    "query", tool.store, "--components", "Number", "--format=csv",
                    "--offset=\(offset)", "--limit=\(limit)")
                let lines = found.output.split(separator: "\n").dropFirst().map(String.init)
                #expect(lines == values.map { "\(ids[$0]),\($0)" }, "\(offset) \(limit)")
            }
        }
    }

    /// Makes a store of two game objects with titles.
    private func makeTitles(_ tool: ToolRun) throws {
        try makeStore(tool) { world in
            let first = world.spawn(Title(text: "Argo", level: 3))
            world.spawn(Title(text: "Beagle", friends: [first]))
        }
    }

    private func makeStore(
        _ tool: ToolRun, migrations: [ColumnMigration] = [], _ fill: (Worlds.World) -> Void
    ) throws {
        let model = NSManagedObjectModel()
        model.entities = GameObject.makeEntities()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: LodeStoreType, configurationName: nil, at: URL(fileURLWithPath: tool.store),
            options: nil)
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        fill(try Worlds.World(context: context, migrations: migrations))
        try context.save()
    }

    @Test func queryPrintsComponents() throws {
        try withTool { tool throws in
            try makeWorld(tool)
            let json = tool.lode(
                "query", tool.store, "--components", "Various", "--format", "json")
            let ids = tool.lode("query", tool.store, "--components", "GameObject", "--format=csv")
                .output.split(separator: "\n").map(String.init)
            #expect(ids.count == 4 && ids[0] == "object")
            #expect(
                json.output == """
                    [
                      {"object": "\(ids[1])", "small": -3, "large": 18446744073709551615, \
                    "pair.left": 7, "pair.right": -8, "ratio": 0.5, "exact": 1.25, "isOn": true, \
                    "friend": "3/p17", "colour": "green"},
                      {"object": "\(ids[3])", "small": 0, "large": 0, "pair.left": 0, \
                    "pair.right": 0, "ratio": "inf", "exact": -0.1, "isOn": false, \
                    "friend": "\(ids[1])", "colour": "red"}
                    ]

                    """)
            let table = tool.lode("query", tool.store, "--components", "Asleep")
            #expect(
                table.output == """
                    object
                    ------
                    \(ids[1])
                    \(ids[2])
                    2 rows

                    """)
            let second = tool.lode(
                "query", tool.store, "--components", "Asleep", "--format", "csv", "--offset", "1",
                "--limit", "1")
            #expect(second.output == "object\n\(ids[2])\n")
        }
    }

    @Test func queryPrintsLinksAndResources() throws {
        try withTool { tool throws in
            try makeStore(tool) { world in
                let ids = world.spawnAll(count: 3)
                world.relate(ids[1], Under.self, to: ids[0])
                world.relate(ids[2], Near.self, to: ids[1])
                world[resource: Weather.self] = Weather(rain: 2.5, isWindy: true)
            }
            let ids = tool.lode("query", tool.store, "--components", "GameObject", "--format=csv")
                .output.split(separator: "\n").dropFirst().map(String.init)
            #expect(ids.count == 3)
            let under = tool.lode("query", tool.store, "--components", "Under", "--format=csv")
            #expect(under.output == "object,source,target\n\(ids[1]),\(ids[1]),\(ids[0])\n")
            let near = tool.lode("query", tool.store, "--components", "Near", "--format=csv")
            let line = near.output.split(separator: "\n").last.map(String.init) ?? ""
            #expect(line.hasSuffix(",\(ids[2]),\(ids[1])"))
            let weather = tool.lode(
                "query", tool.store, "--components", "resource/Weather", "--format", "json")
            // It is in row 0, which no game object has.
            #expect(
                weather.output == """
                    [
                      {"object": "\(ids[0].prefix { $0 != "/" })/p0", "rain": 2.5, \
                    "isWindy": true}
                    ]

                    """)
        }
    }

    @Test func explainsErrors() throws {
        try withTool { tool throws in
            try makeWorld(tool)
            let unknown = tool.lode("query", tool.store, "--components", "Place")
            #expect(unknown.status == 1)
            #expect(
                unknown.error.contains(
                    "there is no component Place; the store has Asleep, GameObject, Various"))
            let sorted = tool.lode("query", tool.store, "--components", "Various", "--sort", "x")
            #expect(sorted.status == 64)
            #expect(sorted.error.hasPrefix("lode: --sort does not go with --components"))
        }
        try withTool { tool throws in
            try tool.makeMusic()
            let none = tool.lode("query", tool.store, "--components", "Place")
            #expect(none.error.contains("there is no component Place; the store has none"))
        }
    }

    @Test func fieldsAreWhatTheFileSays() {
        func columns(_ fields: String, _ size: Int) -> [ComponentColumn] {
            ComponentColumn.columns(
                of: NSPersistentStore.ComponentStatistics(
                    name: "A", fields: fields, valueByteCount: size, values: 0, chunks: 0, bytes: 0)
            )
        }
        #expect(columns("", 0) == [])
        #expect(columns("", 3) == [ComponentColumn(name: "value", form: nil, range: 0..<3)])
        #expect(
            columns("a:Map<Int, Int>@0 b:Int16@8", 10) == [
                ComponentColumn(name: "a", form: nil, range: 0..<8),
                ComponentColumn(name: "b", form: FieldForm("Int16"), range: 8..<10),
            ])
        // Descriptions that no writer makes.
        #expect(
            columns("a:Int64@4", 8) == [ComponentColumn(name: "a", form: nil, range: 4..<8)])
        #expect(
            columns("a:Int8@99999999999999999999", 2)
                == [ComponentColumn(name: "value", form: nil, range: 0..<2)])
        #expect(columns("a:Int8@9", 2) == [ComponentColumn(name: "a", form: nil, range: 2..<2)])
        for (type, range, bytes, text): (String?, Range<Int>, [UInt8], String) in [
            ("Int16", 1..<3, [9, 0xFE, 0xFF], "-2"), ("UInt16", 0..<2, [0xFE, 0xFF], "65534"),
            (nil, 0..<2, [1, 0xAB], "01ab"), ("Int8", 0..<1, [0x7F], "127"),
        ] {
            let form = type.flatMap { FieldForm($0) }
            let column = ComponentColumn(name: "a", form: form, range: range)
            #expect(column.value(in: bytes).plain == text)
        }
    }

    @Test(
        arguments: [
            ("Hue{red,green}", [1], "green"), ("Hue{red,green}", [2], "case 2"),
            ("{off,on}", [0], "off"), ("Float16", [0, 0x3E], "1.5"),
            ("Optional<Int32>", [7, 0, 0, 0, 0], "7"), ("Optional<Int32>", [0, 0, 0, 0, 1], ""),
            ("Optional<GameObjectID>", [17, 0, 0, 0, 0, 0, 3, 0, 0], "3/p17"),
            ("Optional<GameObjectID>", [0, 0, 0, 0, 0, 0, 0, 0, 1], ""),
            ("Optional<Bool>", [1], "true"), ("Optional<Bool>", [2], ""),
            ("Optional<Hue>{some(Hue{red,green}),none}", [1], "green"),
            ("Optional<Hue>{some(Hue{red,green}),none}", [2], ""),
            ("SIMD2<Int8>", [1, 0xFF], "[1, -1]"),
            ("SIMD3<UInt16>", [1, 0, 2, 0, 3, 0, 9, 9], "[1, 2, 3]"),
        ] as [(String, [UInt8], String)])
    func fieldsAreReadByTheNamesOfTheirTypes(type: String, bytes: [UInt8], text: String) throws {
        let form = try #require(FieldForm(type))
        #expect(form.byteCount == bytes.count)
        #expect(form.value(in: bytes[...]).plain == text)
    }

    @Test(arguments: [
        "Goal{go(Int16),none}", "Spot{x=Int16+0,y=Int16+2}", "{3*UInt8}", "Optional<Spot>",
        "Optional<Hue>{red,green}",
        "Optional<Goal>{some(Goal{go(Int16),none}),none}",
        "Optional<Spot>{some(Spot{x=Int8}),none}",
        "SIMD3<Spot>", "SIMD1000<Int8>", "SIMD<Int8>", "{}", "{a}", "",
        "Optional<", "Optional<Optional<Int8>>",
    ])
    func otherTypesHaveNoForm(type: String) { #expect(FieldForm(type) == nil) }
}
