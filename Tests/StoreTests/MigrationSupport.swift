// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Testing
import _TestSupport

@testable import Store

extension StoreOptions {
    /// Migrates files of other models.
    static var migrating: StoreOptions {
        var options = StoreOptions.fast
        options.migration = .inferredWithLosses
        return options
    }
}

/// A file that a test migrates.
struct MigratedFile {
    let path: String

    /// Makes a file of a model, and its first objects.
    init<Result>(
        _ directory: String, _ entities: [Entity], options: StoreOptions = .fast,
        _ fill: (SaveTransaction) throws -> Result
    ) throws {
        path = directory + "/a.lode"
        _ = try openStore(path, Schema(entities: entities), options).write(fill)
    }

    /// Migrates the file, and checks it and all that was opened.
    ///
    /// - Returns: The store, opened once more by the model of the file.
    @discardableResult
    func migrate(
        _ entities: [Entity], _ options: StoreOptions = .migrating,
        sourceLocation location: SourceLocation = #_sourceLocation
    ) throws -> Store {
        let schema = try Schema(entities: entities)
        do {
            let store = try openStore(path, schema, options)
            #expect(store.schema == schema, sourceLocation: location)
            #expect(try store.invariantViolations() == [], sourceLocation: location)
            try store.verifyContents()
        }
        // By a program that migrates nothing, and by one without a model.
        var plain = options
        plain.migration = .off
        _ = try openStore(path, schema, plain)
        let store = try openStore(path, nil, plain)
        #expect(store.schema == schema, sourceLocation: location)
        #expect(try store.invariantViolations() == [], sourceLocation: location)
        try store.verifyContents()
        return store
    }

    /// The error that migrating ends with; nil where it succeeds.
    func refusal(_ entities: [Entity], _ options: StoreOptions = .migrating) throws -> StoreError? {
        StoreTests.refusal(path, try Schema(entities: entities), options)
    }

    /// The bytes of the file.
    var bytes: Data {
        get throws { try Data(contentsOf: URL(fileURLWithPath: path)) }
    }
}

extension Store {
    /// The objects of an entity by their rows.
    func rows(_ entity: String) throws -> [UInt64: [String: Value]] {
        let objects = try makeSnapshot().objects(entity)
        return Dictionary(uniqueKeysWithValues: objects.map { ($0.key.row, $0.value) })
    }

    /// The destinations of a to-many relationship, as text.
    func links(_ owner: ObjectKey, _ relationship: String) throws -> [String] {
        let ordinal = try #require(self.ordinal(of: owner.entity))
        let table = try #require(tables[ordinal].relationship(named: relationship))
        return try makeSnapshot().destinations(of: owner, table).map(\.description)
    }
}
