// SPDX-License-Identifier: Apache-2.0

import Lode

/// `lode migrate`: makes a store one of another version of its model.
struct MigrateCommand {
    private let path: String
    private let modelPath: String
    private let isDryRun: Bool
    private let mayRemove: Bool

    init(_ arguments: [String]) throws {
        let parsed = try ParsedArguments(
            arguments, command: "migrate", options: [], flags: ["dry-run", "may-remove"])
        try parsed.expect("STORE", "MODEL")
        path = parsed.positional[0]
        modelPath = parsed.positional[1]
        isDryRun = parsed.has("dry-run")
        mayRemove = parsed.has("may-remove")
    }

    func run(_ output: ToolOutput) throws -> Int32 {
        let model = try NSManagedObjectModel.plain(at: modelPath)
        let changes = try changes(to: model)
        guard !changes.isEmpty else {
            output.line("the store has this version of the model")
            return 0
        }
        output.write(
            TextTable.table(
                header: ["entity", "change", "objects"], rows: changes,
                isNumber: [false, false, true]))
        guard !isDryRun else { return 0 }
        try migrate(to: model)
        output.line("migrated")
        return 0
    }

    /// What happens to each entity that does not stay as it is.
    private func changes(to model: NSManagedObjectModel) throws -> [[String]] {
        let store = try ToolStore(path: path)
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: store.model, destinationModel: model)
        return try mapping.entityMappings.compactMap { mapping in
            let source = mapping.sourceEntityName
            let objects = try source.map { try store.count(try store.entity(named: $0)).grouped }
            let name = mapping.destinationEntityName ?? source ?? ""
            let change: String
            switch mapping.mappingType {
            case .addEntityMappingType: change = "added"
            case .removeEntityMappingType: change = "removed"
            case .copyEntityMappingType: return nil
            default: change = source == name ? "changed" : "changed, was \(source ?? "")"
            }
            return [name, change, objects ?? ""]
        }
    }

    private func migrate(to model: NSManagedObjectModel) throws {
        let url = URL(fileURLWithPath: path)
        let keepsHistory = try NSManagedObjectModel.keepsHistory(at: url)
        try NSPersistentStoreCoordinator(managedObjectModel: model).addPersistentStore(
            ofType: LodeStoreType, configurationName: nil, at: url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true,
                NSInferMappingModelAutomaticallyOption: true,
                LodeMigrationMayRemoveOption: mayRemove,
                NSPersistentHistoryTrackingKey: keepsHistory,
            ])
    }
}
