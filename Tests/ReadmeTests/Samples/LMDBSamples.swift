// SPDX-License-Identifier: Apache-2.0

import LMDB

/// Samples of the module LMDB.
enum LMDBSamples {
    static func open(_ path: String) throws -> (Environment, Database) {
        // SAMPLE: Environment.swift
        let environment = try Environment.open(at: path)
        let names = try environment.databases([DatabaseSpec(name: "names")])[0]!
        try environment.write { try $0.put(Array("Ada".utf8), for: "first", in: names) }
        // SAMPLE: end
        return (environment, names)
    }

    static func spec() -> DatabaseSpec {
        // SAMPLE: DatabaseSpec.swift
        let links = DatabaseSpec(name: "links", flags: [.integerKey, .integerDup])
        // SAMPLE: end
        return links
    }

    static func read(_ environment: Environment, _ names: Database) throws -> String? {
        // SAMPLE: ReadTransaction.swift
        let name = try environment.read { transaction in
            try transaction.get("first", in: names).map { String(decoding: $0, as: UTF8.self) }
        }
        // SAMPLE: end
        return name
    }

    static func write(_ environment: Environment, _ names: Database) throws -> Int {
        // SAMPLE: WriteTransaction.swift
        let count = try environment.write { transaction in
            try transaction.put(Array("Grace".utf8), for: "second", in: names)
            try transaction.delete("first", in: names)
            return try transaction.entryCount(names)
        }
        // SAMPLE: end
        return count
    }

    static func walk(_ environment: Environment, _ names: Database) throws {
        // SAMPLE: Cursor.swift
        try environment.read { transaction in
            let cursor = try transaction.makeCursor(names)
            while let entry = try cursor.next() {
                print(String(decoding: entry.key, as: UTF8.self), entry.value.count)
            }
        }
        // SAMPLE: end
    }

    static func follow(_ environment: Environment, _ names: Database) throws {
        // SAMPLE: Snapshot.swift
        let snapshot = try environment.makeSnapshot()
        print(try snapshot.entryCount(names))
        snapshot.reset()  // parked: keeps no pages from being reused
        try snapshot.renew()  // sees the newest commit
        // SAMPLE: end
    }
}
