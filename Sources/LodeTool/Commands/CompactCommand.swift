// SPDX-License-Identifier: Apache-2.0

import Lode

/// `lode compact`: a copy of a store without free pages, to ship.
struct CompactCommand {
    private let path: String
    private let destination: String

    init(_ arguments: [String]) throws {
        let parsed = try ParsedArguments(
            arguments, command: "compact", options: ["into"], flags: [])
        try parsed.expect("STORE")
        path = parsed.positional[0]
        destination = try parsed.required("into")
    }

    func run(_ output: ToolOutput) throws -> Int32 {
        let store = try ToolStore(path: path)
        let before = try store.persistentStore.statistics().fileSizeBytes
        let coordinator = store.context.persistentStoreCoordinator
        let copy = try coordinator?.migratePersistentStore(
            store.persistentStore, to: URL(fileURLWithPath: destination),
            options: [NSReadOnlyPersistentStoreOption: true], withType: LodeStoreType)
        guard let after = try copy?.statistics().fileSizeBytes else {
            throw ToolError("\(path): the store is closed")
        }
        output.line("\(before.grouped) bytes, compacted \(after.grouped)")
        return 0
    }
}
