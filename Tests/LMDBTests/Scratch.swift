// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB

/// A folder of its own for one test, deleted afterwards.
final class Scratch {
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "lmdb-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The path of a file in the folder.
    func path(_ name: String = "data.lode") -> String {
        "\(folder)/\(name)"
    }

    /// Opens the file, with a map small enough for many to exist at once.
    func environment(
        _ name: String = "data.lode", _ change: (inout EnvironmentOptions) -> Void = { _ in }
    ) throws -> Environment {
        try Environment.open(at: path(name), options: testOptions(change))
    }
}

/// Options for tests: a reservation of 1 GiB and short waits.
func testOptions(
    _ change: (inout EnvironmentOptions) -> Void = { _ in }
) -> EnvironmentOptions {
    var options = EnvironmentOptions()
    options.addressSpaceBytes = 1 << 30
    options.remapTimeoutMilliseconds = 50
    change(&options)
    return options
}

extension Environment {
    /// Opens one database, creating it.
    func database(_ name: String, _ flags: DatabaseFlags = []) throws -> Database {
        guard let database = try databases([DatabaseSpec(name: name, flags: flags)])[0] else {
            throw LMDBError(code: .notFound, path: path, message: "no database \(name)")
        }
        return database
    }

    /// The value of an integer key, copied.
    func value(_ key: UInt64, in database: Database) throws -> [UInt8]? {
        try read { try $0.get(key, in: database).map { Array($0) } }
    }
}

/// The code of the error that a closure throws; nil where it throws none of this layer.
func errorCode(_ body: () throws -> Void) -> LMDBError.Code? {
    error(body)?.code
}

/// The error that a closure throws; nil where it throws none of this layer.
func error(_ body: () throws -> Void) -> LMDBError? {
    do {
        try body()
        return nil
    } catch {
        return error as? LMDBError
    }
}
