// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Contents
import Foundation
import ManagedObjects
import RecordFormat
import Store
import Worlds

/// Reading the columns of a file, and comparing their types with those of the program.
extension WorldFile {
    /// Reads all columns of the newest commit.
    func open(_ migrations: [ColumnMigration]) throws {
        context.attachSaveCompanion()
        for migration in migrations {
            // Those of resources, too.
            for type in [migration.old, migration.new] {
                migratedNames.formUnion([type.name, World.resourcePrefix + type.name])
            }
        }
        try context.storage {
            try store.findColumns()
            let snapshot = try store.makeSnapshot()
            try adopt(try snapshot.columnTypes())
            // First what stays: values of the new type win over those that come from the old one.
            var due: [(type: StoredColumnType, migration: ColumnMigration, length: Int)] = []
            for type in types.values.sorted(by: { $0.number < $1.number }) {
                let described = ComponentType(type)
                let chain = ColumnMigration.chain(from: migrations) {
                    described.isStored(as: $0.old) || described.isStored(as: $0.resources.old)
                }
                if let chain {
                    due.append((type, chain.migration, chain.length))
                    types[type.name] = nil
                } else {
                    try read(type, snapshot)
                }
            }
            // Then the newest of them, for the same reason.
            due.sort { ($0.length, $0.type.number) < ($1.length, $1.type.number) }
            for (type, migration, _) in due { try migrate(type, migration, snapshot) }
            takenRow = try snapshot.takenRow()
            seen = snapshot.transactionID
            show(snapshot)
        }
    }

    func adopt(_ stored: [StoredColumnType]) throws {
        for type in stored where !isLeftBehind(type) {
            // A world whose migrations know the type goes on from it to others than the file has.
            if let obstacle = ComponentType(type).successorObstacle,
                types[type.name].map({ $0 != type }) == true || migratedNames.contains(type.name)
            {
                throw CoreDataError.make(.persistentStoreIncompatibleVersionHash, obstacle)
            }
        }
        for known in types.values where !stored.contains(where: { $0.name == known.name }) {
            throw CoreDataError.make(
                .persistentStoreIncompatibleVersionHash,
                "another program has replaced the component \(ComponentType(known)); open the "
                    + "world again")
        }
        let former = (replaced + unmigrated).map(\.type)
        for type in stored
        where !isLeftBehind(type) && !former.contains(where: { $0.isStored(as: type) }) {
            if let known = types[type.name], !known.isStored(as: type) {
                throw changed(known, type)
            }
            types[type.name] = type
        }
    }

    private func changed(_ known: StoredColumnType, _ new: StoredColumnType) -> CocoaError {
        CoreDataError.make(
            .persistentStoreIncompatibleVersionHash,
            "another program has changed the component \(ComponentType(known)) to "
                + "\(ComponentType(new)); open the world again")
    }

    /// Compares a Swift type with the file's column of its name, and with the value of the world.
    func check<C: WorldComponent>(_ type: C.Type) throws {
        let described = ComponentType(C.__Stored.self)
        if let obstacle = described.nameObstacle { throw CoreDataError.make(.coreData, obstacle) }
        try check(described)
        let resource = ComponentType(Resource<C.__Stored>.self)
        // A program that has begun the component anew need not have such a resource.
        let isAnew = types[described.name] != nil && successor(of: resource) != nil
        if !C.__isCoded, described.kind == .component, !isAnew { try check(resource) }
        try reportingUnreadable { try world.read(type, described) }
    }

    /// What the file says that a type was made by a migration.
    private func successor(of described: ComponentType) -> ComponentType? {
        let stored = types[described.name].map { ComponentType($0) }
        return stored?.successor == nil ? nil : stored
    }

    private func check(_ described: ComponentType) throws {
        if let obstacle = successor(of: described)?.successorObstacle {
            throw CoreDataError.make(.persistentStoreIncompatibleVersionHash, obstacle)
        }
        if let stored = types[described.name], !ComponentType(stored).isStored(as: described) {
            throw CoreDataError.make(
                .persistentStoreIncompatibleVersionHash,
                "the file has the component \(ComponentType(stored)), and the program "
                    + "\(described); give the world a ColumnMigration, or the type another "
                    + "componentName")
        }
        let made = replaced.map { $0.made }.first { $0.name == described.name }
        if let made, !made.isStored(as: described) {
            throw CoreDataError.make(
                .persistentStoreIncompatibleVersionHash,
                "a ColumnMigration makes the component \(made), and the program has "
                    + "\(described); give the world another one that goes on from there")
        }
    }

    /// Runs code that reads contents as a program's type.
    ///
    /// - Throws: 134100 for a content that the type cannot read; what else the body throws.
    func reportingUnreadable(_ body: () throws -> Void) throws {
        do { try body() } catch let error as ComponentUnreadable {
            throw CoreDataError.make(.persistentStoreIncompatibleVersionHash, "\(error)")
        }
    }

    /// Takes over what the keys of a chunk stand for.
    ///
    /// - Throws: 134070 for a content that is missing or damaged; 134100 for one that the program's
    ///   type cannot read.
    func readContents(
        _ bytes: UnsafeRawBufferPointer, _ chunk: Int, _ column: Column, _ snapshot: StoreSnapshot
    ) throws {
        guard let contents = column.contents else { return }
        try column.chunkFormat.contentKeys(in: bytes) { row, key in
            guard !contents.has(key) else { return }
            let name = world.nameOfValue(column, chunk << column.layout.shift | row)
            try readContent(key, contents, name, snapshot)
        }
    }

    private func readContent(
        _ key: ContentKey, _ contents: ContentPool, _ name: String, _ snapshot: StoreSnapshot
    ) throws {
        let found: [UInt8]?
        do { found = try snapshot.content(key) } catch {
            throw CoreDataError.make(.persistentStoreOperation, "\(name): \(error)")
        }
        guard let found else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "\(name) lacks its content; restore the file from a copy")
        }
        do { try contents.add(key, found) } catch {
            throw CoreDataError.make(
                .persistentStoreIncompatibleVersionHash,
                "\(name) cannot be read as the program's type: \(error.text)")
        }
    }

    private func read(_ type: StoredColumnType, _ snapshot: StoreSnapshot) throws {
        let column = try self.column(of: type)
        try snapshot.forEachColumnChunk(of: type) { chunk, bytes in
            let header = try snapshot.header(of: bytes, chunk, type)
            try readContents(bytes, Int(chunk), column, snapshot)
            column.load(
                Int(chunk), bytes, version: header.version,
                isMapped: snapshot.staysInPlace(bytes))
        }
    }

    /// The world's column for a type of the file.
    ///
    /// - Throws: 134100 where the program has used another type under its name.
    func column(of type: StoredColumnType) throws -> Column {
        let described = ComponentType(type)
        let column = world.column(describedBy: described)
        guard column.type.isStored(as: described) else {
            if let obstacle = described.successorObstacle {
                throw CoreDataError.make(.persistentStoreIncompatibleVersionHash, obstacle)
            }
            throw CoreDataError.make(
                .persistentStoreIncompatibleVersionHash,
                "another program has made the component \(described), and this one has "
                    + "\(column.type); give one of them another componentName")
        }
        return column
    }
}
