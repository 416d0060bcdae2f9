// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A database of SQLite in memory: another program's answer to the same question.
///
/// The library is loaded where a machine has it. The package does not link it, so that its tests
/// need nothing but LMDB; where SQLite is missing they say so and leave the comparison out.
public final class SQLite {
    /// A value of a column or a parameter.
    public enum Value: Hashable, Sendable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
    }

    /// Why a statement failed.
    public struct Failure: Error {
        /// What SQLite says, and the statement.
        public let message: String
    }

    private typealias Handle = OpaquePointer
    private typealias Open =
        @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Handle?>) -> Int32
    private typealias Prepare =
        @convention(c) (
            Handle, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<Handle?>,
            UnsafeMutablePointer<UnsafePointer<CChar>?>?
        ) -> Int32
    private typealias Step = @convention(c) (Handle) -> Int32
    private typealias BindInteger = @convention(c) (Handle, Int32, Int64) -> Int32
    private typealias BindReal = @convention(c) (Handle, Int32, Double) -> Int32
    private typealias BindText =
        @convention(c) (Handle, Int32, UnsafePointer<CChar>, Int32, Int) -> Int32
    private typealias ColumnNumber = @convention(c) (Handle, Int32) -> Int32
    private typealias ColumnInteger = @convention(c) (Handle, Int32) -> Int64
    private typealias ColumnReal = @convention(c) (Handle, Int32) -> Double
    private typealias ColumnText = @convention(c) (Handle, Int32) -> UnsafePointer<CChar>?
    private typealias Message = @convention(c) (Handle) -> UnsafePointer<CChar>

    private let library: UnsafeMutableRawPointer
    private let handle: Handle
    private let prepare: Prepare
    private let step: Step
    private let finalize: Step
    private let close: Step
    private let columnCount: Step
    private let bindInteger: BindInteger
    private let bindReal: BindReal
    private let bindText: BindText
    private let columnType: ColumnNumber
    private let columnInteger: ColumnInteger
    private let columnReal: ColumnReal
    private let columnText: ColumnText
    private let message: Message

    /// Opens an empty database; `nil`, with a printed line, on a machine without SQLite.
    public init?() throws {
        #if canImport(Darwin)
            let name = "libsqlite3.dylib"
        #else
            let name = "libsqlite3.so.0"
        #endif
        guard let library = dlopen(name, RTLD_NOW) else {
            print("SQLite is not compared with: \(name) is not installed (libsqlite3-0)")
            return nil
        }
        func function<Function>(_ name: String, as type: Function.Type) throws -> Function {
            guard let address = dlsym(library, name) else {
                throw Failure(message: "SQLite has no function \(name)")
            }
            // SAFETY: the type is that of SQLite's documented function of the name.
            return unsafeBitCast(address, to: type)
        }
        self.library = library
        prepare = try function("sqlite3_prepare_v2", as: Prepare.self)
        step = try function("sqlite3_step", as: Step.self)
        finalize = try function("sqlite3_finalize", as: Step.self)
        close = try function("sqlite3_close", as: Step.self)
        columnCount = try function("sqlite3_column_count", as: Step.self)
        bindInteger = try function("sqlite3_bind_int64", as: BindInteger.self)
        bindReal = try function("sqlite3_bind_double", as: BindReal.self)
        bindText = try function("sqlite3_bind_text", as: BindText.self)
        columnType = try function("sqlite3_column_type", as: ColumnNumber.self)
        columnInteger = try function("sqlite3_column_int64", as: ColumnInteger.self)
        columnReal = try function("sqlite3_column_double", as: ColumnReal.self)
        columnText = try function("sqlite3_column_text", as: ColumnText.self)
        message = try function("sqlite3_errmsg", as: Message.self)
        var opened: Handle?
        let open = try function("sqlite3_open", as: Open.self)
        guard open(":memory:", &opened) == 0, let opened else {
            throw Failure(message: "SQLite cannot open a database in memory")
        }
        handle = opened
    }

    deinit { _ = close(handle) }

    /// Runs a statement with parameters and returns its rows.
    @discardableResult
    public func run(_ sql: String, _ parameters: [Value] = []) throws -> [[Value]] {
        var prepared: Handle?
        guard prepare(handle, sql, -1, &prepared, nil) == 0, let statement = prepared else {
            throw failure(sql)
        }
        defer { _ = finalize(statement) }
        for (index, parameter) in parameters.enumerated() {
            try bind(parameter, at: Int32(index + 1), statement, sql)
        }
        var rows: [[Value]] = []
        while true {
            switch step(statement) {
            case 100: rows.append((0..<columnCount(statement)).map { value(statement, $0) })
            case 101: return rows
            default: throw failure(sql)
            }
        }
    }

    private func bind(
        _ value: Value, at place: Int32, _ statement: Handle, _ sql: String
    ) throws {
        let status =
            switch value {
            case .null: Int32(0)  // a parameter without a value is null
            case .integer(let number): bindInteger(statement, place, number)
            case .real(let number): bindReal(statement, place, number)
            // -1 has SQLite copy the text.
            case .text(let text): bindText(statement, place, text, -1, -1)
            }
        guard status == 0 else { throw failure(sql) }
    }

    private func value(_ statement: Handle, _ column: Int32) -> Value {
        switch columnType(statement, column) {
        case 1: .integer(columnInteger(statement, column))
        case 2: .real(columnReal(statement, column))
        case 3: columnText(statement, column).map { .text(String(cString: $0)) } ?? .null
        default: .null
        }
    }

    private func failure(_ sql: String) -> Failure {
        Failure(message: "\(String(cString: message(handle))): \(sql)")
    }
}
