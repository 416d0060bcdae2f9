// SPDX-License-Identifier: Apache-2.0

import Foundation
import Query
import Schema

extension NSFetchIndexDescription {
    /// Which objects have entries; nil for all.
    ///
    /// - Parameter schema: The entities with their attributes.
    /// - Throws: For a predicate that no index can have, naming both and the reason.
    func condition(in schema: Schema) throws(ModelError) -> IndexCondition? {
        guard let predicate = partialIndexPredicate, let name = entity?.name,
            let owner = schema.entity(name)
        else { return nil }
        do {
            let tree = try PredicateConversion.predicate(predicate, in: nil)
            return try IndexConditionReader(schema, entity: owner).condition(of: tree)
        } catch {
            let reason = (error as? QueryError)?.message ?? error.localizedDescription
            throw ModelError(
                "index \(self.name) of \(name) has the predicate \(predicate), which is none for "
                    + "an index: \(reason)")
        }
    }
}
