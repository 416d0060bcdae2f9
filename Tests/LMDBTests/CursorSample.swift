// SPDX-License-Identifier: Apache-2.0

import LMDB

/// Two databases to walk over: objects by number, and edges from number to numbers.
struct CursorSample {
    let scratch: Scratch
    let environment: Environment
    let objects: Database
    let edges: Database

    init() throws {
        scratch = try Scratch()
        environment = try scratch.environment()
        objects = try environment.database("objects", .integerKey)
        edges = try environment.database("edges", [.integerKey, .integerDup])
        try environment.write { (txn) throws in
            for key in [10, 20, 30, 40] as [UInt64] {
                try txn.put([UInt8(key)], for: key, in: objects)
            }
            for (key, value) in [(1, 5), (1, 7), (2, 6), (3, 1), (3, 2), (3, 9)] {
                try txn.put(UInt64(value), for: UInt64(key), in: edges)
            }
        }
    }
}
