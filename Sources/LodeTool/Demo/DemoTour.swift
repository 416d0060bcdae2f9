// SPDX-License-Identifier: Apache-2.0

import Lode

/// The steps of the demo, each of which prints what it does and how long it takes.
struct DemoTour {
    let folder: URL
    let objectCount: Int
    let output: ToolOutput

    func run() throws {
        let files = folder.appendingPathComponent("library", isDirectory: true)
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        let library = DemoLibrary(folder: files, creatureCount: objectCount)
        try timed("Writing a library of CSV, JSON and JSON Lines files") { try library.write() }
        let store = folder.appendingPathComponent("world.lode")
        try importFiles(files, into: store)
        let context = try open(store)
        try query(context)
        try walk(context)
        try runComponents()
    }

    private func importFiles(_ files: URL, into store: URL) throws {
        output.line("\nImporting it")
        var options = ImportOptions()
        options.mapping = try DemoLibrary.mapping
        let importer = try LibraryImporter(path: files.path, into: store, options: options)
        let report = try importer.load()
        output.line(indented("\(report)"))
        output.line("  \(rate(report.readCount, report.seconds)) rows/s")
        output.line("\nImporting it again")
        let again = try LibraryImporter(path: files.path, into: store, options: options).load()
        let changes = again.entities.reduce(0) { $0 + $1.inserted + $1.updated }
        output.line(
            "  \(again.readCount.counted("row")) read, \(changes.counted("object")) changed")
    }

    private func open(_ store: URL) throws -> NSManagedObjectContext {
        let tool = try ToolStore(path: store.path)
        return tool.context
    }

    private func query(_ context: NSManagedObjectContext) throws {
        let examples: [(entity: String, format: String)] = [
            ("Creature", "health == 100 AND species.name == \"Dragon\""),
            ("Creature", "leader.region.area > 5000 AND name BEGINSWITH \"Ba\""),
            ("Creature", "ANY items.price > 990"),
            ("Region", "creatures.@count > \(objectCount / DemoLibrary.regionCount)"),
        ]
        for (entity, format) in examples {
            output.line("\nFinding each \(entity) where \(format)")
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = try NSPredicate.parse(format)
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            output.line(indented(try context.explain(request)))
            var found: [NSManagedObject] = []
            let seconds = try measure { found = try context.fetch(request) }
            let names = found.prefix(5).compactMap { $0.value(forKey: "name") as? String }
            output.line("  \(found.count.counted("object")) in \(milliseconds(seconds))")
            if !names.isEmpty { output.line("  \(names.joined(separator: ", ")), …") }
        }
    }

    private func walk(_ context: NSManagedObjectContext) throws {
        output.line("\nWalking from each creature to the area of its leader's region")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Creature")
        var steps = 0
        var area = 0
        let seconds = try measure {
            for creature in try context.fetch(request) {
                guard let leader = creature.value(forKey: "leader") as? NSManagedObject,
                    let region = leader.value(forKey: "region") as? NSManagedObject
                else { continue }
                area += (region.value(forKey: "area") as? NSNumber)?.intValue ?? 0
                steps += 2
            }
        }
        output.line(
            "  \(steps.counted("step")) in \(milliseconds(seconds)), \(rate(steps, seconds)) "
                + "steps/s; mean area \((area / max(steps / 2, 1)).grouped)")
    }

    func timed(_ title: String, _ body: () throws -> Void) throws {
        output.line(title)
        output.line("  \(milliseconds(try measure(body)))")
    }

    func measure(_ body: () throws -> Void) rethrows -> Double {
        try ContinuousClock().measure(body).inSeconds
    }

    func milliseconds(_ seconds: Double) -> String {
        let hundredths = Int((seconds * 100_000).rounded())
        let fraction = hundredths % 100
        return "\((hundredths / 100).grouped).\(fraction < 10 ? "0" : "")\(fraction) ms"
    }

    func rate(_ count: Int, _ seconds: Double) -> String {
        Int(Double(count) / max(seconds, 0.000_001)).grouped
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }
}
