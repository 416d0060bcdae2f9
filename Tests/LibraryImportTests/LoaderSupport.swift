// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import ManagedObjects
import Testing

/// A folder with files to import and the store that they go into.
struct Workplace {
    let folder: String

    var files: String { folder + "/files" }
    var store: URL { URL(fileURLWithPath: folder + "/library.lode") }

    /// Writes files and imports them, instead of those of an earlier import.
    func load(
        _ texts: [String: String], mapping: String? = nil, isStrict: Bool = false,
        batchSize: Int = 10_000, progress: ImportProgress.Handler? = nil
    ) throws -> ImportReport {
        try? FileManager.default.removeItem(atPath: files)
        try FileManager.default.createDirectory(
            atPath: files, withIntermediateDirectories: true)
        for (name, text) in texts { try Data(text.utf8).write(to: url(name)) }
        var options = ImportOptions()
        options.mapping = try mapping.map { try ImportMapping.parse($0) }
        options.isStrict = isStrict
        options.batchSize = batchSize
        let importer = try LibraryImporter(
            path: files, into: store, options: options, progress: progress)
        return try importer.load(progress: progress)
    }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: files + "/" + name) }

    /// Replaces the store by an empty one of the same model, or of a changed one, and fills it.
    func remakeStore(
        _ change: (NSManagedObjectModel) -> Void = { _ in },
        _ fill: (NSManagedObjectContext) throws -> Void = { _ in }
    ) throws {
        let model = try NSManagedObjectModel.stored(at: store)
        try FileManager.default.removeItem(at: store)
        change(model)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let made = try coordinator.addPersistentStore(type: .sqlite, at: store)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            try fill(context)
            try context.save()
        }
        try coordinator.remove(made)
    }

    /// The bytes of the store's file.
    func storeBytes() throws -> Data { try Data(contentsOf: store) }

    /// The names of what is in the folder, but for the files to import and LMDB's lock file.
    func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter {
            $0 != "files" && $0 != "library.lode-lock"
        }
    }

    /// All objects of the store, a line each.
    func dump() throws -> [String] {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel.stored(at: store))
        try coordinator.addPersistentStore(
            ofType: LodeStoreType, configurationName: nil, at: store,
            options: [NSReadOnlyPersistentStoreOption: true])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        var lines: [String] = []
        for name in coordinator.managedObjectModel.entitiesByName.keys.sorted() {
            let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name))
            lines += objects.map(describe)
        }
        return lines
    }

    /// Expects the store to hold these objects.
    func expect(
        _ lines: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let actual = try dump()
        #expect(actual == lines, sourceLocation: sourceLocation)
    }

    private func describe(_ object: NSManagedObject) -> String {
        var parts = [object.entity.name ?? ""]
        for property in object.entity.properties {
            let value = object.value(forKey: property.name)
            let text: String
            switch value {
            case nil: text = "nil"
            case let other as NSManagedObject: text = label(other)
            case let set as Set<NSManagedObject>:
                text = "[\(set.map(label).sorted().joined(separator: " "))]"
            case let date as Date: text = "\(date.timeIntervalSinceReferenceDate)"
            case let data as Data: text = data.base64EncodedString()
            case let other?: text = "\(other)"
            }
            parts.append("\(property.name)=\(text)")
        }
        return parts.joined(separator: " ")
    }

    /// The value of the object's key.
    private func label(_ object: NSManagedObject) -> String {
        guard let key = object.entity.uniquenessConstraints.first?.first else { return "?" }
        return object.value(forKey: "\(key)").map { "\($0)" } ?? "nil"
    }
}

/// A workplace that exists while `body` runs.
func withWorkplace(_ body: (Workplace) throws -> Void) throws {
    try withFolder { try body(Workplace(folder: $0)) }
}

extension ImportReport {
    /// The counts of entities and links as `Name inserted/updated/unchanged/rejected`.
    var counts: [String] {
        entities.map { "\($0.name) \($0.inserted)/\($0.updated)/\($0.unchanged)/\($0.rejected)" }
            + links.map { "\($0.name) \($0.inserted)/\($0.unchanged)/\($0.rejected)" }
    }

    /// Where rows were rejected, and why.
    var reasons: [String] {
        rejections.map { rejection in
            let file = rejection.file.split(separator: "/").last ?? ""
            return "\(file):\(rejection.line) \(rejection.entity) \(rejection.row): "
                + rejection.reason
        }
    }
}
