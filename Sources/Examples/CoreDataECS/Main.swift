// SPDX-License-Identifier: Apache-2.0

import CoreData

@main
struct Main {
    static func main() throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("CoreDataECS-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = directory.appendingPathComponent("game.lode")
        try Game(url: url).populate()

        let game = try Game(url: url)
        print(try game.describe("Hero"))
        print(try game.describe("Monster"))
        for object in try GameObject.fetchAll(withComponentOfType: Stat.self, moc: game.moc) {
            let count = try object.getComponents(ofType: Stat.self).count
            print("\(object.name ?? "") has \(count) stats")
        }
        try game.remove("agility", from: "Hero")
        print(try game.describe("Hero"))
    }
}
