// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query

extension FetchPreparation {
    /// A predicate ready to be asked of objects in memory, with the answers that a store gives.
    ///
    /// - Throws: 134070 for a constant that an attribute cannot be compared with.
    func ready(
        _ predicate: PredicateTree, in context: NSManagedObjectContext
    ) throws -> PreparedPredicate {
        try context.mappingQueryErrors {
            let coercion = ConstantCoercion(
                context.model.schema, entity: runtime.entity.name, isStrict: true)
            return try PreparedPredicate(try coercion.coerced(predicate))
        }
    }
}
