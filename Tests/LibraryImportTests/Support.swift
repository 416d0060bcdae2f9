// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import Testing

/// A row as the tests write it: names, values and place.
struct ReadRow: Equatable, CustomStringConvertible {
    var entity: String
    var line: Int
    var number: Int
    var fields: [String]
    var problem: String?

    var description: String {
        "\(entity)#\(number)@\(line) \(fields.joined(separator: " ")) \(problem ?? "")"
    }
}

/// Makes a reader over text.
func reader(
    _ format: ImportFormat, _ bytes: [UInt8], file: String = "input", entity: String = "Row",
    _ options: ReaderOptions = ReaderOptions()
) -> any RowSource {
    ImportSource(path: file, format: format, entityName: entity)
        .makeReader(ByteInput(bytes: bytes, file: file), options)
}

/// Reads all rows of a text; absent fields are left out.
func rows(
    _ format: ImportFormat, _ text: String, chunkSize: Int = 256 * 1024
) throws -> [ReadRow] {
    var options = ReaderOptions()
    options.chunkSize = chunkSize
    return try allRows(reader(format, Array(text.utf8), options))
}

/// Reads all rows of a source.
func allRows(_ source: any RowSource) throws -> [ReadRow] {
    var result: [ReadRow] = []
    var row = RawRow()
    while try source.next(into: &row) {
        let names = source.fieldNames(of: row.section)
        let fields = zip(names, row.values).compactMap { name, value in
            show(value, row).map { "\(name)=\($0)" }
        }
        result.append(
            ReadRow(
                entity: source.sections[row.section].name, line: row.line, number: row.number,
                fields: fields, problem: row.problem))
    }
    return result
}

/// A value with its type: `i:1`, `n:1.5`, `t:text`, `j:[1]`, `null`, `empty`, `true`.
func show(_ value: RowValue, _ row: RawRow) -> String? {
    switch value {
    case .absent: nil
    case .null: "null"
    case .emptyText: "empty"
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "i:\(number)"
    case .number(let range): "n:\(row.string(range))"
    case .text(let range): "t:\(row.string(range))"
    case .nested(let range): "j:\(row.string(range))"
    }
}

/// The error of reading bytes to the end, `nil` when there is none.
func readError(
    _ format: ImportFormat, _ bytes: [UInt8], _ options: ReaderOptions = ReaderOptions()
) -> ImportError? {
    let source = reader(format, bytes, options)
    var row = RawRow()
    do throws(ImportError) {
        while try source.next(into: &row) {}
        return nil
    } catch {
        return error
    }
}

/// A folder that exists while `body` runs.
func withFolder(_ body: (String) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "LibraryImportTests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
}

/// Writes files into a folder and returns the sources there.
func write(_ files: [String: String], to folder: String) throws -> [ImportSource] {
    for (name, text) in files {
        try text.write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
    }
    return try ImportSource.discover(at: folder)
}

/// Plans an import of files.
func plan(
    _ files: [String: String], mapping: ImportMapping? = nil,
    _ body: (ImportPlan) throws -> Void
) throws {
    try withFolder { folder in
        try body(ImportPlan.make(sources: write(files, to: folder), mapping: mapping))
    }
}

/// The model of files.
func model(_ files: [String: String], mapping: String? = nil) throws -> InferredModel {
    var model = InferredModel(entities: [])
    let mapping = try mapping.map { try ImportMapping.parse($0) }
    try plan(files, mapping: mapping) { model = $0.model }
    return model
}

/// The error of planning an import of files.
func planError(_ files: [String: String], mapping: String? = nil) throws -> ImportError? {
    do {
        _ = try model(files, mapping: mapping)
        return nil
    } catch let error as ImportError {
        return error
    }
}
