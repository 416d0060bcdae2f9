// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The whole model, written in code.
enum TeamModel {
    /// Made once and shared by all containers.
    static let model: NSManagedObjectModel = {
        let (team, player) = (teamEntity(), playerEntity())
        let members = toMany("members", player)
        let teams = toMany("teams", team)
        (members.inverseRelationship, teams.inverseRelationship) = (teams, members)
        team.properties.append(members)
        player.properties.append(teams)
        let model = NSManagedObjectModel()
        model.entities = [team, player]
        return model
    }()

    private static func teamEntity() -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = "Team"
        entity.managedObjectClassName = NSStringFromClass(Team.self)
        entity.properties = [
            attribute("identifier", .UUIDAttributeType),
            attribute("teamName", .stringAttributeType),
        ]
        return entity
    }

    /// No class has the name that this entity gives: its objects are plain managed objects.
    private static func playerEntity() -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = "Player"
        entity.managedObjectClassName = "PlayerMO"
        let picture = attribute("picture", .binaryDataAttributeType, isOptional: true)
        picture.allowsExternalBinaryDataStorage = true
        entity.properties = [
            attribute("identifier", .UUIDAttributeType),
            attribute("name", .stringAttributeType),
            attribute("category", .stringAttributeType, isOptional: true),
            attribute("position", .stringAttributeType, isOptional: true),
            attribute("birthdate", .dateAttributeType, isOptional: true),
            attribute("phoneNumber", .stringAttributeType, isOptional: true),
            picture,
        ]
        return entity
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType, isOptional: Bool = false
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = isOptional
        return attribute
    }

    private static func toMany(
        _ name: String, _ destination: NSEntityDescription
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.minCount = 0
        relationship.maxCount = 0
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }
}
