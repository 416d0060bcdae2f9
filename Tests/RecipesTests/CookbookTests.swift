// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing
import _TestSupport

@testable import Recipes

/// A program with a model of Xcode's editor: found by its name, with generated classes, and
/// migrated from its first version.
@Suite struct CookbookTests {
    @Test func recipes_are_kept_with_their_ingredients_in_order() throws {
        try withTemporaryDirectory { directory in
            let url = URL(fileURLWithPath: directory + "/book.lode")
            let book = try Cookbook(at: url)
            book.add("Bread", minutes: 180, ["flour": 500, "water": 350])
            book.add("Omelette", minutes: 8, ["eggs": 150]).isFavourite = true
            try book.container.viewContext.save()

            let again = try Cookbook(at: url)
            #expect(try again.recipes(within: 15).map(\.name) == ["Omelette"])
            let all = try again.recipes(within: 200)
            #expect(all.map(\.name) == ["Bread", "Omelette"])
            #expect(all.map(\.weight) == [850, 150])
            #expect(all.map(\.isFavourite) == [false, true])
            let names = all[0].ingredients?.array.compactMap { ($0 as? Ingredient)?.name }
            #expect(names == ["flour", "water"])
            #expect(try again.container.viewContext.count(for: Ingredient.fetchRequest()) == 3)
        }
    }

    @Test func the_rules_of_the_model_hold() throws {
        try withTemporaryDirectory { directory in
            let book = try Cookbook(at: URL(fileURLWithPath: directory + "/book.lode"))
            book.add("Nothing", minutes: 0, [:])
            let error = #expect(throws: CocoaError.self) {
                try book.container.viewContext.save()
            }
            #expect(error?.code == .validationNumberTooSmall)
        }
    }

    @Test func a_file_of_the_first_version_is_migrated() throws {
        try withTemporaryDirectory { directory in
            let url = URL(fileURLWithPath: directory + "/book.lode")
            let model = try firstVersion()
            for entity in model.entities { entity.managedObjectClassName = nil }
            let old = NSPersistentContainer(name: "Recipes", managedObjectModel: model)
            old.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
            old.loadPersistentStores { #expect($1 == nil) }
            let soup = NSEntityDescription.insertNewObject(
                forEntityName: "Recipe", into: old.viewContext)
            soup.setValue("Soup", forKey: "title")
            try old.viewContext.save()
            for store in old.persistentStoreCoordinator.persistentStores {
                try old.persistentStoreCoordinator.remove(store)
            }

            let book = try Cookbook(at: url)
            let recipes = try book.recipes(within: 30)
            #expect(recipes.map(\.name) == ["Soup"])
            #expect(recipes.map(\.isFavourite) == [false])
            #expect(recipes.map(\.cookedAt) == [nil])
        }
    }

    private func firstVersion() throws -> NSManagedObjectModel {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/Examples/Recipes/Recipes.xcdatamodeld")
        return try NSManagedObjectModel.read(
            contentsOf: folder.appendingPathComponent("Recipes.xcdatamodel"))
    }
}
