// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing

private func film() -> Entity {
    Entity(
        name: "Film",
        attributes: [
            Attribute(name: "title", type: .string, isOptional: false),
            Attribute(name: "year", type: .integer16, defaultValue: .integer16(1977)),
        ],
        relationships: [Relationship(name: "sequel", destination: "Film")],
        indexes: [
            Index(name: "byYear", properties: ["year"]),
            Index(name: "titles", properties: ["title"], isUnique: true),
        ])
}

private func hash(_ change: (inout Entity) -> Void) -> UInt64 {
    var entity = film()
    change(&entity)
    return entity.versionHash
}

@Suite struct VersionHashTests {
    /// Files are refused when this number changes: it may not, for an unchanged model.
    @Test func hashIsStable() throws {
        #expect(film().versionHash == 3_814_103_921_847_910_084)
        let schema = try Schema(entities: [film()])
        #expect(schema.versionHash == 16_169_617_604_293_887_226)
        #expect(try Schema(entities: []).versionHash == 0xCBF2_9CE4_8422_2325)
    }

    @Test func whatCounts() {
        let original = film().versionHash
        let changes: [(String, (inout Entity) -> Void)] = [
            ("name", { $0.name = "Movie" }),
            ("superentity", { $0.superentity = "Work" }),
            ("abstract", { $0.isAbstract = true }),
            ("attribute name", { $0.attributes[0].name = "name" }),
            ("attribute type", { $0.attributes[1].type = .integer32 }),
            ("attribute optional", { $0.attributes[0].isOptional = true }),
            ("attribute transient", { $0.attributes[0].isTransient = true }),
            ("attribute removed", { $0.attributes.removeLast() }),
            ("relationship name", { $0.relationships[0].name = "prequel" }),
            ("destination", { $0.relationships[0].destination = "Work" }),
            ("inverse", { $0.relationships[0].inverse = "sequel" }),
            ("relationship optional", { $0.relationships[0].isOptional = false }),
            ("relationship transient", { $0.relationships[0].isTransient = true }),
            ("to-many", { $0.relationships[0].isToMany = true }),
            ("ordered", { $0.relationships[0].isOrdered = true }),
            ("minimum", { $0.relationships[0].minCount = 1 }),
            ("maximum", { $0.relationships[0].maxCount = 1 }),
            ("delete rule", { $0.relationships[0].deleteRule = .cascade }),
            ("constraint", { $0.indexes[1].properties = ["title", "year"] }),
            ("no constraint", { $0.indexes.removeLast() }),
        ]
        var seen: Set<UInt64> = [original]
        for (what, change) in changes {
            #expect(seen.insert(hash(change)).inserted, "\(what) does not count")
        }
    }

    @Test func whatDoesNotCount() {
        let original = film().versionHash
        let changes: [(String, (inout Entity) -> Void)] = [
            ("class", { $0.className = "Film" }),
            ("default", { $0.attributes[1].defaultValue = .null }),
            ("order of attributes", { $0.attributes.reverse() }),
            ("plain index", { $0.indexes.removeFirst() }),
            ("name of a constraint", { $0.indexes[1].name = "other" }),
            ("external storage", { $0.attributes[0].allowsExternalStorage = true }),
            ("renaming", { $0.renamingIdentifier = "Movie" }),
        ]
        for (what, change) in changes { #expect(hash(change) == original, "\(what) counts") }
    }

    @Test func orderOfEntitiesDoesNotCount() throws {
        let other = Entity(name: "Person")
        let one = try Schema(entities: [film(), other])
        let two = try Schema(entities: [other, film()])
        #expect(one.versionHash == two.versionHash)
        #expect(one == two)
    }
}
