// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Copies, indexes, digests and class names of descriptions.
@Suite struct ModelSurfaceTests {
    @Test func a_copy_of_a_model_in_use_is_editable() throws {
        let model = PeopleModel.make(isIndexed: true)
        let stack = try Stack(model)
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
        let person = try #require(copy.entitiesByName["Person"])
        #expect(person !== model.entitiesByName["Person"])
        #expect(person.managedObjectModel === copy)
        let department = try #require(person.relationshipsByName["department"])
        #expect(department.destinationEntity === copy.entitiesByName["Department"])
        #expect(department.inverseRelationship?.inverseRelationship === department)
        #expect(department.inverseRelationship?.entity === copy.entitiesByName["Department"])
        #expect(person.indexes.map(\.name) == ["name", "age", "department"])
        #expect(person.indexes.first?.elements.first?.property.entity === person)
        person.properties.append(Build.attribute("note"))
        #expect(copy.entityVersionHashesByName != model.entityVersionHashesByName)
        let other = try Stack(copy)
        #expect(other.context.make("Person", ["note": "n"]).text("note") == "n")
        #expect(stack.context.make("Person").entity.attributesByName["note"] == nil)
    }

    @Test func a_copy_keeps_the_hierarchy() throws {
        let base = Build.entity("Base", [Build.attribute("name")])
        let derived = Build.entity("Derived", [Build.attribute("size")])
        base.subentities = [derived]
        Build.index(derived, "name")
        derived.uniquenessConstraints = [[derived.propertiesByName["size"] as Any]]
        let copy = try #require(Build.model(base, derived).copy() as? NSManagedObjectModel)
        // Descriptions do not keep each other alive; their model does.
        defer { withExtendedLifetime((base, copy)) {} }
        let child = try #require(copy.entitiesByName["Derived"])
        #expect(child.superentity === copy.entitiesByName["Base"])
        #expect(child.attributesByName.keys.sorted() == ["name", "size"])
        #expect(child.indexes.first?.elements.first?.property.entity.name == "Base")
        #expect(child.uniquenessConstraints as? [[String]] == [["size"]])
        let alone = try #require(derived.copy() as? NSEntityDescription)
        #expect(alone.superentity == nil && alone.attributesByName.keys.sorted() == ["size"])
    }

    @Test func indexes_know_their_entities() throws {
        let entity = Build.entity("Thing", [Build.attribute("name")])
        let element = NSFetchIndexElementDescription(
            property: try #require(entity.propertiesByName["name"]), collationType: .binary)
        let index = NSFetchIndexDescription(name: "byName", elements: [element])
        #expect(index.entity == nil && element.indexDescription === index)
        entity.indexes = [index]
        #expect(index.entity === entity)
        index.elements = []
        entity.indexes = []
        #expect(index.entity == nil)
    }

    @Test func an_index_of_a_model_in_use_cannot_be_edited() async {
        await #expect(processExitsWith: .failure) {
            let model = PeopleModel.make(isIndexed: true)
            _ = try Stack(model)
            model.entitiesByName["Person"]?.indexes.first?.name = "other"
        }
        await #expect(processExitsWith: .failure) {
            let model = PeopleModel.make(isIndexed: true)
            _ = try Stack(model)
            model.entitiesByName["Person"]?.indexes.first?.elements.first?.isAscending = false
        }
    }

    @Test func an_r_tree_is_refused() async {
        await #expect(processExitsWith: .failure) {
            let entity = Build.entity("Thing", [Build.attribute("name")])
            let name = try #require(entity.propertiesByName["name"])
            let element = NSFetchIndexElementDescription(property: name, collationType: .rTree)
            entity.indexes = [NSFetchIndexDescription(name: "place", elements: [element])]
            _ = try Stack(Build.model(entity))
        }
    }

    @Test func value_class_names_follow_from_the_type() {
        #expect(Build.attribute("a", .integer16AttributeType).attributeValueClassName == "NSNumber")
        #expect(Build.attribute("a").attributeValueClassName == "NSString")
        #expect(Build.attribute("a", .UUIDAttributeType).attributeValueClassName == "NSUUID")
        let transformable = Build.attribute("a", .transformableAttributeType)
        #expect(transformable.attributeValueClassName == nil)
        transformable.attributeValueClassName = "Colour"
        #expect(transformable.attributeValueClassName == "Colour")
    }

    @Test func relationships_say_whether_they_are_faults() throws {
        let stack = try Stack(PeopleModel.make())
        let tag = stack.context.make("Tag")
        let person = stack.context.make("Person", ["tags": Set([tag]), "favourite": tag])
        #expect(person.faultingState == 0)
        #expect(!person.hasFault(forRelationshipNamed: "tags"))
        try stack.context.save()
        try stack.reopen()
        let read = try #require(try stack.context.all("Person").first)
        #expect(read.faultingState == 1)
        #expect(read.hasFault(forRelationshipNamed: "tags"))
        #expect(read.hasFault(forRelationshipNamed: "favourite") && read.isFault)
        #expect(read.number("age") == 18)
        #expect(read.faultingState == 0)
        #expect(read.hasFault(forRelationshipNamed: "tags"))
        // The destination is there and has not been asked for its values.
        #expect(read.hasFault(forRelationshipNamed: "favourite"))
        let favourite = try #require(read.one("favourite"))
        #expect(favourite.text("name") == "-")
        #expect(!read.hasFault(forRelationshipNamed: "favourite"))
        let identifiers = read.objectIDs(forRelationshipNamed: "tags")
        #expect(identifiers.map(\.entity.name) == ["Tag"])
        #expect(read.objectIDs(forRelationshipNamed: "favourite") == identifiers)
        #expect(read.objectIDs(forRelationshipNamed: "spouse").isEmpty)
        #expect(!read.hasFault(forRelationshipNamed: "tags"))
        #expect(stack.context.registeredObject(for: identifiers[0]) === favourite)
    }
}
