// SPDX-License-Identifier: Apache-2.0

import Lode

/// Writes the files that the demo imports: regions, species, creatures, items and who carries what.
struct DemoLibrary {
    static let regionCount = 40
    static let species = [
        "Dragon", "Goblin", "Griffin", "Hydra", "Imp", "Kraken", "Ogre", "Phoenix", "Troll", "Wyrm",
    ]
    static let itemCount = 500

    let folder: URL
    let creatureCount: Int

    /// The leader of a creature is another creature, which the column's name does not show.
    static var mapping: ImportMapping {
        get throws {
            try ImportMapping.parse(
                """
                {"entities": {
                  "Creature": {"attributes": {"Health": {"indexed": true}},
                    "relationships": {"LeaderId": {
                      "destination": "Creature", "name": "leader", "inverse": "followers"}}}}}
                """)
        }
    }

    /// Writes all files; the same ones each time.
    func write() throws {
        var generator = DemoGenerator(seed: 7)
        try writeRegions(&generator)
        try writeSpecies()
        try writeItems(&generator)
        try writeCreatures(&generator)
        try writeLinks(&generator)
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    private func writeRegions(_ generator: inout DemoGenerator) throws {
        var text = "RegionId,Name,Area\n"
        for id in 1...Self.regionCount {
            text +=
                "\(id),\"\(generator.name()), the \(id).\","
                + "\(Int.random(in: 100...9_000, using: &generator))\n"
        }
        try write(text, to: "Region.csv")
    }

    private func writeSpecies() throws {
        let rows = Self.species.enumerated().map { index, name in
            #"{"SpeciesId": \#(index + 1), "Name": "\#(name)", "Flies": \#(index % 3 == 0)}"#
        }
        try write("{\"Species\": [\n\(rows.joined(separator: ",\n"))\n]}\n", to: "Species.json")
    }

    private func writeItems(_ generator: inout DemoGenerator) throws {
        var text = ""
        for id in 1...Self.itemCount {
            let cents = Int.random(in: 50...99_999, using: &generator)
            text +=
                #"{"ItemId": \#(id), "Name": "\#(generator.name())", "Price": \#(cents / 100)"#
                + ".\(cents % 100 / 10)\(cents % 10)}\n"
        }
        try write(text, to: "Item.jsonl")
    }

    private func writeCreatures(_ generator: inout DemoGenerator) throws {
        var text = "CreatureId,Name,Health,Strength,Born,RegionId,SpeciesId,LeaderId\n"
        for id in 1...creatureCount {
            let day = Int.random(in: 1...28, using: &generator)
            let fields = [
                "\(id)", generator.name(), "\(Int.random(in: 1...100, using: &generator))",
                "\(Double(Int.random(in: 0...1_000, using: &generator)) / 10)",
                "20\(10 + day % 10)-0\(1 + day % 9)-\(day < 10 ? "0" : "")\(day)",
                "\(Int.random(in: 1...Self.regionCount, using: &generator))",
                "\(Int.random(in: 1...Self.species.count, using: &generator))",
                id % 10 == 0 ? "" : "\(Int.random(in: 1...creatureCount, using: &generator))",
            ]
            text += fields.joined(separator: ",") + "\n"
        }
        try write(text, to: "Creature.csv")
    }

    private func writeLinks(_ generator: inout DemoGenerator) throws {
        var text = "CreatureId,ItemId\n"
        for id in stride(from: 1, through: creatureCount, by: 2) {
            text += "\(id),\(Int.random(in: 1...Self.itemCount, using: &generator))\n"
        }
        try write(text, to: "CreatureItem.csv")
    }
}
