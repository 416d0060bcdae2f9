// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

final class ShortTeam: NSManagedObject {}

@Suite struct ModelInitialiserTests {
    private func makeModel() -> NSManagedObjectModel {
        let team = NSEntityDescription(name: "Team", managedObjectClass: ShortTeam.self)
        let player = NSEntityDescription(
            name: "Player",
            properties: [
                NSAttributeDescription(
                    name: "score", type: .integer32, isOptional: false, defaultValue: 7)
            ])
        let players = NSRelationshipDescription(
            name: "players", destination: player, deleteRule: .cascadeDeleteRule)
        let name = NSAttributeDescription(name: "name", type: .string)
        team.properties = [name, players]
        team.indexes = [NSFetchIndexDescription(name: "byName", properties: [name])]
        player.properties.append(
            NSRelationshipDescription(
                name: "team", destination: team, maxCount: 1, isOptional: false, inverse: players))
        return NSManagedObjectModel(entities: [team, player])
    }

    @Test func entities_know_the_model_that_was_made_of_them() {
        let team = NSEntityDescription(name: "Team")
        let model = NSManagedObjectModel(entities: [team])
        #expect(team.managedObjectModel === model)
    }

    @Test func setsWhatTheSettersSet() throws {
        let model = makeModel()
        #expect(model.entities.map(\.name) == ["Team", "Player"])
        let team = try #require(model.entitiesByName["Team"])
        let player = try #require(model.entitiesByName["Player"])
        #expect(team.managedObjectClassName == "ManagedObjectsTests.ShortTeam")
        #expect(player.managedObjectClassName == "NSManagedObject")
        let score = try #require(player.attributesByName["score"])
        #expect(score.attributeType == .integer32AttributeType)
        #expect(!score.isOptional)
        #expect(score.defaultValue as? Int == 7)
        let name = try #require(team.attributesByName["name"])
        #expect(name.attributeType == .stringAttributeType)
        #expect(name.isOptional)
        #expect(name.defaultValue == nil)
        let players = try #require(team.relationshipsByName["players"])
        let owner = try #require(player.relationshipsByName["team"])
        #expect(players.destinationEntity === player)
        #expect(owner.destinationEntity === team)
        #expect(players.inverseRelationship === owner)
        #expect(owner.inverseRelationship === players)
        #expect(players.isToMany)
        #expect(!owner.isToMany)
        #expect(players.isOptional)
        #expect(!owner.isOptional)
        #expect(players.deleteRule == .cascadeDeleteRule)
        #expect(owner.deleteRule == .nullifyDeleteRule)
        #expect(team.indexes.map(\.name) == ["byName"])
        #expect(team.indexes[0].elements.map(\.propertyName) == ["name"])
    }

    @Test func objectsHaveTheClassWithoutALookUp() throws {
        let model = makeModel()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        context.performAndWait {
            let team = NSEntityDescription.insertNewObject(forEntityName: "Team", into: context)
            #expect(type(of: team) == ShortTeam.self)
            let player = NSEntityDescription.insertNewObject(forEntityName: "Player", into: context)
            #expect(type(of: player) == NSManagedObject.self)
            #expect(player.value(forKey: "score") as? Int == 7)
        }
    }

    @Test func aLaterClassNameReplacesTheClass() throws {
        let team = NSEntityDescription(name: "Team", managedObjectClass: ShortTeam.self)
        team.managedObjectClassName = "NSManagedObject"
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: NSManagedObjectModel(entities: [team]))
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        context.performAndWait {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Team", into: context)
            #expect(type(of: object) == NSManagedObject.self)
        }
    }
}
