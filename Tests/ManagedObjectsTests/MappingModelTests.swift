// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Mappings that are inferred from two models.
@Suite struct MappingModelTests {
    @Test func a_mapping_names_what_becomes_of_each_entity() throws {
        let (source, destination) = (ModelVersions.first(), ModelVersions.second())
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: source, destinationModel: destination)
        let names = mapping.entityMappings.compactMap(\.name).sorted()
        #expect(names == ["IEM_Add_Author", "IEM_Transform_Book", "IEM_Transform_Rack"])
        let book = try #require(mapping.entityMappingsByName["IEM_Transform_Book"])
        #expect(book.mappingType == .transformEntityMappingType)
        #expect(book.sourceEntityName == "Book" && book.destinationEntityName == "Book")
        #expect(book.sourceEntityVersionHash == source.entityVersionHashesByName["Book"])
        #expect(book.destinationEntityVersionHash == destination.entityVersionHashesByName["Book"])
        let attributes = Dictionary(
            uniqueKeysWithValues: (book.attributeMappings ?? []).map {
                ($0.name ?? "", $0.valueExpression?.keyPath)
            })
        #expect(attributes == ["title": "title", "length": "pages", "rating": nil])
        #expect(book.relationshipMappings?.compactMap(\.name).sorted() == ["authors", "rack"])
        let rack = try #require(mapping.entityMappingsByName["IEM_Transform_Rack"])
        #expect(rack.sourceEntityName == "Shelf" && rack.destinationEntityName == "Rack")
        let author = try #require(mapping.entityMappingsByName["IEM_Add_Author"])
        #expect(author.sourceEntityName == nil && author.mappingType.rawValue == 2)
    }

    @Test func equal_models_are_copied_and_what_is_missing_is_removed() throws {
        let small = Build.model(Build.entity("Shelf", [Build.attribute("name")]))
        let large = Build.model(
            Build.entity("Shelf", [Build.attribute("name")]),
            Build.entity("Label", [Build.attribute("text")]))
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: large, destinationModel: small)
        #expect(
            mapping.entityMappings.compactMap(\.name) == ["IEM_Copy_Shelf", "IEM_Remove_Label"])
        #expect(mapping.entityMappings.last?.destinationEntityName == nil)
    }

    @Test func what_cannot_be_inferred_throws() throws {
        let source = Build.model(Build.entity("Item", [Build.attribute("size")]))
        let destination = Build.model(
            Build.entity("Item", [Build.attribute("size", .integer64AttributeType)]))
        let error = try #require(throws: CocoaError.self) {
            try NSMappingModel.inferredMappingModel(
                forSourceModel: source, destinationModel: destination)
        }
        #expect(error.errorCode == 134190)
        #expect(error.userInfo["entity"] as? String == "Item")
        #expect(error.userInfo["property"] as? String == "size")
    }

    @Test func the_models_can_still_be_changed() throws {
        let (source, destination) = (ModelVersions.first(), ModelVersions.second())
        _ = try NSMappingModel.inferredMappingModel(
            forSourceModel: source, destinationModel: destination)
        for model in [source, destination] {
            model.entitiesByName["Book"]?.properties.append(Build.attribute("more"))
            #expect(model.entitiesByName["Book"]?.attributesByName["more"] != nil)
        }
    }

    @Test func there_are_no_files_of_mapping_models() {
        let model = ModelVersions.first()
        #expect(NSMappingModel(from: nil, forSourceModel: model, destinationModel: model) == nil)
        #expect(NSMappingModel(contentsOf: URL(fileURLWithPath: "/tmp/a.cdm")) == nil)
    }
}
