// SPDX-License-Identifier: Apache-2.0

import CoreData

/// What is cooked; its properties are generated from the model.
public final class Recipe: NSManagedObject {
    /// The weight of all ingredients in grams.
    public var weight: Int {
        (ingredients?.array as? [Ingredient] ?? []).reduce(0) { $0 + Int($1.grams) }
    }
}
