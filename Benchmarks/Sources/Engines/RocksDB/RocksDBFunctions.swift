// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// What is used of RocksDB's C API.
struct RocksDBFunctions: Sendable {
    typealias Text = UnsafePointer<CChar>?
    typealias Failure = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

    let create: @convention(c) () -> OpaquePointer?
    let setCreates: @convention(c) (OpaquePointer?, UInt8) -> Void
    let setParallelism: @convention(c) (OpaquePointer?, Int32) -> Void
    let setTableFactory: @convention(c) (OpaquePointer?, OpaquePointer?) -> Void
    let createTableOptions: @convention(c) () -> OpaquePointer?
    let setCache: @convention(c) (OpaquePointer?, OpaquePointer?) -> Void
    let createCache: @convention(c) (Int) -> OpaquePointer?
    let setFilter: @convention(c) (OpaquePointer?, OpaquePointer?) -> Void
    let createFilter: @convention(c) (Double) -> OpaquePointer?
    let open: @convention(c) (OpaquePointer?, Text, Failure) -> OpaquePointer?
    let close: @convention(c) (OpaquePointer?) -> Void
    let createWriteOptions: @convention(c) () -> OpaquePointer?
    let setSync: @convention(c) (OpaquePointer?, UInt8) -> Void
    let createReadOptions: @convention(c) () -> OpaquePointer?
    let endReadOptions: @convention(c) (OpaquePointer?) -> Void
    let setSnapshot: @convention(c) (OpaquePointer?, OpaquePointer?) -> Void
    let createSnapshot: @convention(c) (OpaquePointer?) -> OpaquePointer?
    let releaseSnapshot: @convention(c) (OpaquePointer?, OpaquePointer?) -> Void
    let createBatch: @convention(c) () -> OpaquePointer?
    let endBatch: @convention(c) (OpaquePointer?) -> Void
    let clear: @convention(c) (OpaquePointer?) -> Void
    let put: @convention(c) (OpaquePointer?, Text, Int, Text, Int) -> Void
    let delete: @convention(c) (OpaquePointer?, Text, Int) -> Void
    let write: @convention(c) (OpaquePointer?, OpaquePointer?, OpaquePointer?, Failure) -> Void
    let get: @convention(c) (OpaquePointer?, OpaquePointer?, Text, Int, Failure) -> OpaquePointer?
    let value: @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int>?) -> Text
    let unpin: @convention(c) (OpaquePointer?) -> Void
    let iterate: @convention(c) (OpaquePointer?, OpaquePointer?) -> OpaquePointer?
    let seek: @convention(c) (OpaquePointer?, Text, Int) -> Void
    let isValid: @convention(c) (OpaquePointer?) -> UInt8
    let advance: @convention(c) (OpaquePointer?) -> Void
    let iteratorKey: @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int>?) -> Text
    let iteratorValue: @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int>?) -> Text
    let iteratorFailure: @convention(c) (OpaquePointer?, Failure) -> Void
    let endIteration: @convention(c) (OpaquePointer?) -> Void
    let free: @convention(c) (UnsafeMutableRawPointer?) -> Void

    init(_ library: DynamicLibrary) throws {
        func find<Function>(_ name: String) throws -> Function {
            try library.function("rocksdb_" + name, as: Function.self)
        }
        create = try find("options_create")
        setCreates = try find("options_set_create_if_missing")
        setParallelism = try find("options_increase_parallelism")
        setTableFactory = try find("options_set_block_based_table_factory")
        createTableOptions = try find("block_based_options_create")
        setCache = try find("block_based_options_set_block_cache")
        createCache = try find("cache_create_lru")
        setFilter = try find("block_based_options_set_filter_policy")
        createFilter = try find("filterpolicy_create_bloom")
        open = try find("open")
        close = try find("close")
        createWriteOptions = try find("writeoptions_create")
        setSync = try find("writeoptions_set_sync")
        createReadOptions = try find("readoptions_create")
        endReadOptions = try find("readoptions_destroy")
        setSnapshot = try find("readoptions_set_snapshot")
        createSnapshot = try find("create_snapshot")
        releaseSnapshot = try find("release_snapshot")
        createBatch = try find("writebatch_create")
        endBatch = try find("writebatch_destroy")
        clear = try find("writebatch_clear")
        put = try find("writebatch_put")
        delete = try find("writebatch_delete")
        write = try find("write")
        get = try find("get_pinned")
        value = try find("pinnableslice_value")
        unpin = try find("pinnableslice_destroy")
        iterate = try find("create_iterator")
        seek = try find("iter_seek")
        isValid = try find("iter_valid")
        advance = try find("iter_next")
        iteratorKey = try find("iter_key")
        iteratorValue = try find("iter_value")
        iteratorFailure = try find("iter_get_error")
        endIteration = try find("iter_destroy")
        free = try find("free")
    }

    /// Calls what may fail, and throws its message.
    @inline(__always)
    func check<Result>(_ body: (Failure) -> Result) throws -> Result {
        var message: UnsafeMutablePointer<CChar>?
        let result = body(&message)
        guard let message else { return result }
        defer { free(message) }
        throw BenchmarkError("RocksDB failed: \(String(cString: message))")
    }
}
