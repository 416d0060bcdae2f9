// SPDX-License-Identifier: Apache-2.0

import CoreData

@main
struct Main {
    static func main() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString).lode")
        defer { try? FileManager.default.removeItem(at: url) }
        let book = try Cookbook(at: url)
        book.add("Porridge", minutes: 10, ["oats": 60, "milk": 250])
        book.add("Bread", minutes: 180, ["flour": 500, "water": 350, "salt": 10])
        book.add("Omelette", minutes: 8, ["eggs": 150, "butter": 15]).isFavourite = true
        try book.container.viewContext.save()
        for recipe in try book.recipes(within: 15) {
            let mark = recipe.isFavourite ? " *" : ""
            print("\(recipe.name ?? ""): \(recipe.minutes) minutes, \(recipe.weight) g\(mark)")
        }
    }
}
