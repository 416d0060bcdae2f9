// SPDX-License-Identifier: Apache-2.0

import Lode

/// A store opened for reading with the model that it keeps.
struct ToolStore {
    let url: URL
    let model: NSManagedObjectModel
    let persistentStore: NSPersistentStore
    let context: NSManagedObjectContext

    /// Pages of files up to this size are checked before they are read: some tens of milliseconds.
    private static let checkedByteCount = 64 << 20

    /// Opens a store.
    ///
    /// - Parameter verifies: Whether all pages and records are checked, whatever the size.
    init(path: String, verifies: Bool = false) throws {
        url = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ToolError("\(path): there is no such file; check the path")
        }
        guard !isFolder.boolValue else {
            throw ToolError("\(path): this is a folder, not a store; name the store's file")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let byteCount = (attributes?[.size] as? NSNumber)?.intValue ?? 0
        if verifies || byteCount <= Self.checkedByteCount {
            try NSPersistentStore.verify(at: url, verifies ? .pagesAndRecords : .pages)
        }
        model = try NSManagedObjectModel.stored(at: url)
        // A file may name any class, whose properties need not be those of its entity.
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        persistentStore = try coordinator.addPersistentStore(
            ofType: LodeStoreType, configurationName: nil, at: url,
            options: [NSReadOnlyPersistentStoreOption: true])
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// The entity of a name.
    func entity(named name: String) throws(ToolError) -> NSEntityDescription {
        if let found = model.entitiesByName[name] { return found }
        let names = model.entitiesByName.keys.sorted().joined(separator: ", ")
        throw ToolError("\(url.path): there is no entity \(name); the store has \(names)")
    }

    /// The number of objects of exactly one entity.
    func count(_ entity: NSEntityDescription) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        return try context.count(for: request)
    }
}

/// An error of the tool itself.
struct ToolError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
