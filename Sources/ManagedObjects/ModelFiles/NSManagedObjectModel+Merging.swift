// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelFiles
import Traps

extension NSManagedObjectModel {
    /// Makes a model with the entities of several ones; nil for an empty list.
    ///
    /// All is copied, so that the models may be in use. An entity that two of them describe alike
    /// is there once. Traps for two of a name that differ. Of configurations of one name the
    /// entities are joined; of templates of one name the first is taken.
    public convenience init?(byMerging models: [NSManagedObjectModel]?) {
        guard let models, !models.isEmpty else { return nil }
        self.init()
        ModelMerge(models).fill(self)
    }

    /// Makes a model of those that a store was written with; nil if they are not all there.
    ///
    /// A store of one configuration has some of a model's entities: the result has all of them.
    ///
    /// - Parameters:
    ///   - models: The models to choose from, such as all versions of one.
    ///   - metadata: The metadata of the store, whose ``NSStoreModelVersionHashesKey`` counts.
    public convenience init?(
        byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]
    ) {
        guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else {
            return nil
        }
        var names: Set<String> = []
        let candidates = models.filter { model in
            let common = model.entityVersionHashesByName.filter { hashes[$0.key] != nil }
            return !common.isEmpty && common.allSatisfy { hashes[$0.key] == $0.value }
        }
        // The models with the fewest entities that the store does not have come first: a version
        // that has added some to those of the store is not the one it was written with.
        let foreign = candidates.map { model in
            (model, model.entityVersionHashesByName.keys.filter { hashes[$0] == nil }.count)
        }
        let chosen = foreign.sorted { $0.1 < $1.1 }.map(\.0).filter { model in
            let sizeBefore = names.count
            names.formUnion(model.entityVersionHashesByName.keys.filter { hashes[$0] != nil })
            return names.count > sizeBefore
        }
        guard names.count == hashes.count else { return nil }
        self.init(byMerging: chosen)
    }

    /// The models of bundles as one; nil if there are none.
    ///
    /// Of a model with several versions the current one counts. What cannot be read is told on
    /// standard error, and nil is the result. Traps for two entities of a name that differ.
    ///
    /// - Parameter bundles: Where to look; nil for the program and its packages.
    public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        let urls = ModelFileSearch.models(of: bundles)
        let models = urls.compactMap { NSManagedObjectModel(contentsOf: $0) }
        guard models.count == urls.count else { return nil }
        return NSManagedObjectModel(byMerging: models)
    }

    /// The models of bundles that a store was written with, of any version, as one; nil if they are
    /// not all there.
    ///
    /// - Parameters:
    ///   - bundles: Where to look; nil for the program and its packages.
    ///   - metadata: The metadata of the store.
    public class func mergedModel(
        from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
    ) -> NSManagedObjectModel? {
        var models: [NSManagedObjectModel] = []
        for url in ModelFileSearch.models(of: bundles) {
            do {
                let bundle = try ModelBundle(at: url.path)
                for version in bundle.versions {
                    let model = NSManagedObjectModel()
                    try model.fill(bundle, version: version)
                    models.append(model)
                }
            } catch {
                report("a model is left out: \(error)")
            }
        }
        return NSManagedObjectModel(byMerging: models, forStoreMetadata: metadata)
    }
}
