// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// What is used of ObjectBox's C API.
struct ObjectBoxFunctions: Sendable {
    typealias Handle = OpaquePointer?
    typealias Text = UnsafePointer<CChar>?
    typealias Bytes = UnsafeMutablePointer<UnsafeRawPointer?>?
    typealias Size = UnsafeMutablePointer<Int>?
    typealias Visitor =
        @convention(c) (UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) -> Bool

    let version: @convention(c) () -> Text
    let lastError: @convention(c) () -> Text
    let model: @convention(c) () -> Handle
    let entity: @convention(c) (Handle, Text, UInt32, UInt64) -> Int32
    let property: @convention(c) (Handle, Text, UInt32, UInt32, UInt64) -> Int32
    let setFlags: @convention(c) (Handle, UInt32) -> Int32
    let setIndex: @convention(c) (Handle, UInt32, UInt64) -> Int32
    let setTarget: @convention(c) (Handle, Text, UInt32, UInt64) -> Int32
    let setLastProperty: @convention(c) (Handle, UInt32, UInt64) -> Int32
    let setLastEntity: @convention(c) (Handle, UInt32, UInt64) -> Void
    let setLastIndex: @convention(c) (Handle, UInt32, UInt64) -> Void
    let options: @convention(c) () -> Handle
    let setDirectory: @convention(c) (Handle, Text) -> Int32
    let setSize: @convention(c) (Handle, UInt64) -> Void
    let setModel: @convention(c) (Handle, Handle) -> Int32
    let open: @convention(c) (Handle) -> Handle
    let close: @convention(c) (Handle) -> Int32
    let beginWriting: @convention(c) (Handle) -> Handle
    let beginReading: @convention(c) (Handle) -> Handle
    let commit: @convention(c) (Handle) -> Int32
    let end: @convention(c) (Handle) -> Int32
    let cursor: @convention(c) (Handle, UInt32) -> Handle
    let closeCursor: @convention(c) (Handle) -> Int32
    let makeID: @convention(c) (Handle, UInt64) -> UInt64
    let putNew: @convention(c) (Handle, UInt64, UnsafeRawPointer?, Int) -> Int32
    let put: @convention(c) (Handle, UInt64, UnsafeRawPointer?, Int) -> Int32
    let get: @convention(c) (Handle, UInt64, Bytes, Size) -> Int32
    let first: @convention(c) (Handle, Bytes, Size) -> Int32
    let next: @convention(c) (Handle, Bytes, Size) -> Int32
    let remove: @convention(c) (Handle, UInt64) -> Int32
    let backlinks: @convention(c) (Handle, UInt32, UInt32, UInt64) -> UnsafeMutableRawPointer?
    let backlinkIDs: @convention(c) (Handle, UInt32, UInt32, UInt64) -> UnsafeMutableRawPointer?
    let freeIDs: @convention(c) (UnsafeMutableRawPointer?) -> Void
    let freeList: @convention(c) (UnsafeMutableRawPointer?) -> Void
    let queryBuilder: @convention(c) (Handle, UInt32) -> Handle
    let closeBuilder: @convention(c) (Handle) -> Int32
    let between: @convention(c) (Handle, UInt32, Int64, Int64) -> Int32
    let equals: @convention(c) (Handle, UInt32, Text, Bool) -> Int32
    let query: @convention(c) (Handle) -> Handle
    let closeQuery: @convention(c) (Handle) -> Int32
    let setParameter: @convention(c) (Handle, UInt32, UInt32, Text) -> Int32
    let visit: @convention(c) (Handle, Handle, Visitor, UnsafeMutableRawPointer?) -> Int32

    init(_ library: DynamicLibrary) throws {
        func find<Function>(_ name: String) throws -> Function {
            try library.function("obx_" + name, as: Function.self)
        }
        version = try find("version_string")
        lastError = try find("last_error_message")
        model = try find("model")
        entity = try find("model_entity")
        property = try find("model_property")
        setFlags = try find("model_property_flags")
        setIndex = try find("model_property_index_id")
        setTarget = try find("model_property_relation")
        setLastProperty = try find("model_entity_last_property_id")
        setLastEntity = try find("model_last_entity_id")
        setLastIndex = try find("model_last_index_id")
        options = try find("opt")
        setDirectory = try find("opt_directory")
        setSize = try find("opt_max_db_size_in_kb")
        setModel = try find("opt_model")
        open = try find("store_open")
        close = try find("store_close")
        beginWriting = try find("txn_write")
        beginReading = try find("txn_read")
        commit = try find("txn_success")
        end = try find("txn_close")
        cursor = try find("cursor")
        closeCursor = try find("cursor_close")
        makeID = try find("cursor_id_for_put")
        putNew = try find("cursor_put_new")
        put = try find("cursor_put")
        get = try find("cursor_get")
        first = try find("cursor_first")
        next = try find("cursor_next")
        remove = try find("cursor_remove")
        backlinks = try find("cursor_backlinks")
        backlinkIDs = try find("cursor_backlink_ids")
        freeIDs = try find("id_array_free")
        freeList = try find("bytes_array_free")
        queryBuilder = try find("query_builder")
        closeBuilder = try find("qb_close")
        between = try find("qb_between_2ints")
        equals = try find("qb_equals_string")
        query = try find("query")
        closeQuery = try find("query_close")
        setParameter = try find("query_param_string")
        visit = try find("query_cursor_visit")
    }

    /// Throws the library's message for a code that is no success.
    @inline(__always)
    func check(_ code: Int32) throws {
        if code != 0 { throw failure() }
    }

    /// A handle that has to be there.
    @inline(__always)
    func check(_ handle: Handle) throws -> OpaquePointer {
        guard let handle else { throw failure() }
        return handle
    }

    func failure() -> BenchmarkError {
        BenchmarkError(
            "ObjectBox failed: \(lastError().map { String(cString: $0) } ?? "without a message")")
    }
}
