// SPDX-License-Identifier: Apache-2.0

import Lode

/// `lode query`: finds objects and prints them.
struct QueryCommand {
    private enum Format: String {
        case table, json, csv
    }

    private let path: String
    private let entityName: String
    private let predicate: NSPredicate?
    private let sortKeys: [String]
    private let limit: Int?
    private let offset: Int
    private let columns: [String]
    private let format: Format
    private let explains: Bool

    init(_ arguments: [String]) throws {
        let parsed = try ParsedArguments(
            arguments, command: "query",
            options: ["sort", "limit", "offset", "columns", "format"], flags: ["explain"])
        try parsed.expect("STORE", "ENTITY", "PREDICATE", optional: 1)
        path = parsed.positional[0]
        entityName = parsed.positional[1]
        sortKeys = Self.list(parsed.value("sort"))
        columns = Self.list(parsed.value("columns"))
        limit = try parsed.number("limit")
        offset = try parsed.number("offset") ?? 0
        explains = parsed.has("explain")
        guard let format = Format(rawValue: parsed.value("format") ?? "table") else {
            throw UsageError(
                "--format takes table, json or csv, not \(parsed.value("format") ?? "")",
                command: "query")
        }
        self.format = format
        predicate =
            parsed.positional.count > 2 ? try NSPredicate.parse(parsed.positional[2]) : nil
    }

    private static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    func run(_ output: ToolOutput) throws -> Int32 {
        let store = try ToolStore(path: path)
        let entity = try store.entity(named: entityName)
        let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
        request.predicate = predicate
        request.sortDescriptors = sortKeys.map { key in
            NSSortDescriptor(
                key: key.hasPrefix("-") ? String(key.dropFirst()) : key,
                ascending: !key.hasPrefix("-"))
        }
        request.fetchLimit = limit ?? 0
        request.fetchOffset = offset
        if explains {
            output.text(try store.context.explain(request))
            return 0
        }
        let columns = try QueryColumn.columns(self.columns, of: entity)
        // Zero is no limit to a fetch request.
        let objects = limit == 0 ? [] : try store.context.fetch(request)
        let rows = objects.lazy.map { object in columns.map { $0.value(of: object) } }
        print(rows, columns, output)
        if let error = store.context.lastReadError { throw error }
        return 0
    }

    private func print(
        _ rows: some Collection<[ValueText]>, _ columns: [QueryColumn], _ output: ToolOutput
    ) {
        switch format {
        case .table:
            output.write(
                TextTable.table(
                    header: columns.map(\.name), rows: rows.map { $0.map(\.plain) },
                    isNumber: columns.map(\.isNumber)))
            output.line(rows.count.counted("row"))
        case .csv:
            output.line(columns.map { ValueText.quotedForCSV($0.name) }.joined(separator: ","))
            for row in rows { output.line(row.map(\.csv).joined(separator: ",")) }
        case .json: printJSON(rows, columns, output)
        }
    }

    private func printJSON(
        _ rows: some Collection<[ValueText]>, _ columns: [QueryColumn], _ output: ToolOutput
    ) {
        let names = columns.map { ValueText.quotedForJSON($0.name) }
        var separator = "[\n"
        for row in rows {
            let members = zip(names, row).map { "\($0): \($1.json)" }
            output.write("\(separator)  {\(members.joined(separator: ", "))}")
            separator = ",\n"
        }
        output.line(separator == "[\n" ? "[]" : "\n]")
    }
}
