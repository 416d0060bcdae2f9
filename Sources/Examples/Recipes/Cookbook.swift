// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The recipes of one file.
struct Cookbook {
    let container: NSPersistentContainer

    /// Opens a cookbook; the model is read from `Recipes.xcdatamodeld`.
    init(at url: URL) throws {
        container = NSPersistentContainer(name: "Recipes")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { failure = failure ?? $1 }
        if let failure { throw failure }
    }

    /// Adds a recipe with its ingredients, in grams.
    @discardableResult
    func add(_ name: String, minutes: Int16, _ ingredients: KeyValuePairs<String, Int32>) -> Recipe
    {
        let recipe = Recipe(context: container.viewContext)
        recipe.name = name
        recipe.minutes = minutes
        for (name, grams) in ingredients {
            let ingredient = Ingredient(context: container.viewContext)
            ingredient.name = name
            ingredient.grams = grams
            recipe.addToIngredients(ingredient)
        }
        return recipe
    }

    /// The recipes that take so many minutes at most, by name: the model's template `quick`.
    func recipes(within minutes: Int) throws -> [Recipe] {
        let request = container.managedObjectModel.fetchRequestFromTemplate(
            withName: "quick", substitutionVariables: ["minutes": minutes])
        request?.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        guard let request else { return [] }
        return try container.viewContext.fetch(request) as? [Recipe] ?? []
    }
}
