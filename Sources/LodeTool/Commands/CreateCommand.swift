// SPDX-License-Identifier: Apache-2.0

import Lode

/// `lode create`: an empty store of a model, to import into.
struct CreateCommand {
    private let path: String
    private let modelPath: String

    init(_ arguments: [String]) throws {
        let parsed = try ParsedArguments(arguments, command: "create", options: [], flags: [])
        try parsed.expect("STORE", "MODEL")
        path = parsed.positional[0]
        modelPath = parsed.positional[1]
    }

    func run(_ output: ToolOutput) throws -> Int32 {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw ToolError("\(path): there is such a file already; choose another name")
        }
        let model = try NSManagedObjectModel.plain(at: modelPath)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: LodeStoreType, configurationName: nil, at: URL(fileURLWithPath: path))
        output.line("created with \(model.entities.count.grouped) entities")
        return 0
    }
}

extension NSManagedObjectModel {
    /// Reads a model whose objects are plain ones: their classes are of a program that is not here.
    static func plain(at path: String) throws -> NSManagedObjectModel {
        let model = try read(contentsOf: URL(fileURLWithPath: path))
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        return model
    }
}
