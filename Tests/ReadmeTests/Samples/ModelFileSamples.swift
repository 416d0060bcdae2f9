// SPDX-License-Identifier: Apache-2.0

import CoreData
import ModelClasses
import ModelFiles
import Recipes

enum ModelFileSamples {
    static func cook() throws {
        // SAMPLE: ModelsFromXcode.md
        let container = NSPersistentContainer(name: "Recipes")
        container.loadPersistentStores { _, error in if let error { print(error) } }
        let recipe = Recipe(context: container.viewContext)
        recipe.name = "Porridge"
        recipe.addToIngredients(Ingredient(context: container.viewContext))
        try container.viewContext.save()
        // SAMPLE: end
    }

    static func read(_ url: URL) throws -> NSPersistentContainer {
        // SAMPLE: ModelsFromXcode.md
        let model = try NSManagedObjectModel.read(contentsOf: url)
        let container = NSPersistentContainer(name: "Recipes", managedObjectModel: model)
        // SAMPLE: end
        return container
    }

    static func find() throws -> NSPersistentContainer {
        // SAMPLE: NSManagedObjectModel+Files.swift
        let url = URL(fileURLWithPath: "Office.xcdatamodeld")
        let model = try NSManagedObjectModel.read(contentsOf: url)
        let container = NSPersistentContainer(name: "Office", managedObjectModel: model)
        // SAMPLE: end
        return container
    }

    static func list() throws {
        // SAMPLE: ModelFile.swift
        let bundle = try ModelBundle(at: "Office.xcdatamodeld")
        for entity in try bundle.currentModel().entities { print(entity.name) }
        // SAMPLE: end
    }

    static func choose() throws -> ModelFile {
        // SAMPLE: ModelBundle.swift
        let bundle = try ModelBundle(at: "Office.xcdatamodeld")
        print(bundle.versions)  // ["Office", "Office 2"]
        let model = try bundle.currentModel()
        // SAMPLE: end
        return model
    }

    static func write() throws {
        // SAMPLE: ClassWriter.swift
        let file = try ModelBundle(at: "Office.xcdatamodeld").currentModel()
        print(try ClassWriter(file, name: "Office").text())
        // SAMPLE: end
    }

    static func open() {
        // SAMPLE: NSPersistentContainer+Name.swift
        // Package.swift: resources: [.copy("Office.xcdatamodeld")]
        let container = NSPersistentContainer(name: "Office")
        container.loadPersistentStores { _, error in if let error { print(error) } }
        // SAMPLE: end
    }
}
