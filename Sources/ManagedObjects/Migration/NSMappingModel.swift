// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// How a migration makes the objects of one model from those of another.
///
/// ```swift
/// let stored = try NSManagedObjectModel.stored(at: url)
/// let mapping = try NSMappingModel.inferredMappingModel(
///     forSourceModel: stored, destinationModel: model)
/// for entity in mapping.entityMappings { print(entity.name ?? "") }
/// ```
///
/// Lode infers mappings; it does not run mappings that a program states.
open class NSMappingModel: NSObject {
    /// The mappings of the entities: those of the destination, then those that go.
    open var entityMappings: [NSEntityMapping]! = []

    /// The mappings by their names; of two with one name the first one counts.
    open var entityMappingsByName: [String: NSEntityMapping] {
        Dictionary(
            entityMappings.compactMap { mapping in mapping.name.map { ($0, mapping) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Makes an empty mapping.
    public override init() { super.init() }

    /// The mapping model of some bundles for two models; always `nil`, as Xcode alone makes the
    /// files that it would look for.
    public convenience init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        return nil
    }

    /// The mapping model of a file; always `nil`, as Xcode alone makes such files.
    public convenience init?(contentsOf url: URL?) {
        return nil
    }

    /// Infers how a migration makes the objects of one model from those of another.
    ///
    /// Entities and properties belong together by their renaming identifiers, which are their names
    /// unless others are stated. Whether the objects of a file can be migrated is not known here:
    /// see <doc:Migration>. The models are not frozen.
    ///
    /// - Throws: 134190 with what cannot be inferred, under `entity`, `property` and `reason` in
    ///   the user info; so does a model that no coordinator would take.
    open class func inferredMappingModel(
        forSourceModel sourceModel: NSManagedObjectModel,
        destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel {
        let (source, destination) = (try schema(of: sourceModel), try schema(of: destinationModel))
        let mapping: SchemaMapping
        do { mapping = try SchemaMapping(from: source, to: destination) } catch {
            throw CoreDataError.notInferred(error)
        }
        let (old, new) = (
            sourceModel.entityVersionHashesByName, destinationModel.entityVersionHashesByName
        )
        let result = NSMappingModel()
        result.entityMappings = mapping.entities.map { NSEntityMapping($0, from: old, to: new) }
        return result
    }

    private static func schema(of model: NSManagedObjectModel) throws -> Schema {
        do { return try PlainModel.make(model, with: nil).compile().schema } catch {
            throw CoreDataError.make(
                .inferredMappingModel, "no mapping model can be inferred: \(error)",
                ["reason": "\(error)"])
        }
    }
}
