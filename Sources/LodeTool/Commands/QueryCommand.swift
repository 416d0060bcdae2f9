// SPDX-License-Identifier: Apache-2.0

import Contents
import Lode

/// `lode query`: finds objects and prints them.
struct QueryCommand {
    private let path: String
    private let entityName: String
    /// The component type whose values are printed, in the place of objects.
    private let componentName: String?
    private let predicate: NSPredicate?
    private let sortKeys: [String]
    private let limit: Int?
    private let offset: Int
    private let columns: [String]
    private let format: ResultPrinter.Format
    private let explains: Bool

    init(_ arguments: [String]) throws {
        let parsed = try ParsedArguments(
            arguments, command: "query",
            options: ["sort", "limit", "offset", "columns", "format", "components"],
            flags: ["explain"])
        componentName = parsed.value("components")
        if componentName == nil {
            try parsed.expect("STORE", "ENTITY", "PREDICATE", optional: 1)
        } else {
            try parsed.expect("STORE")
            for name in ["sort", "columns"] where parsed.value(name) != nil {
                throw UsageError("--\(name) does not go with --components", command: "query")
            }
        }
        path = parsed.positional[0]
        entityName = parsed.positional.count > 1 ? parsed.positional[1] : ""
        sortKeys = Self.list(parsed.value("sort"))
        columns = Self.list(parsed.value("columns"))
        limit = try parsed.number("limit")
        offset = try parsed.number("offset") ?? 0
        explains = parsed.has("explain")
        guard let format = ResultPrinter.Format(rawValue: parsed.value("format") ?? "table") else {
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
        if let componentName {
            try printComponents(componentName, store, output)
            return 0
        }
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
        ResultPrinter(
            format: format, names: columns.map(\.name), isNumber: columns.map(\.isNumber)
        ).print(rows, output)
        if let error = store.context.lastReadError { throw error }
        return 0
    }

    private func printComponents(
        _ name: String, _ store: ToolStore, _ output: ToolOutput
    ) throws {
        let types = try store.persistentStore.componentStatistics()
        let type = types.first { $0.name == name }
        if type?.isCoded == true { return try printCoded(name, store, output) }
        let columns = type.map(ComponentColumn.columns) ?? []
        let rows = try components(name, store).map { object, value in
            [ValueText.text(object)] + columns.map { $0.value(in: value) }
        }
        ResultPrinter(
            format: format, names: ["object"] + columns.map(\.name),
            isNumber: [false] + columns.map(\.isNumber)
        ).print(rows, output)
    }

    /// The components that are asked for, with the game objects that have them.
    private func components(
        _ name: String, _ store: ToolStore
    ) throws -> [(object: String, value: [UInt8])] {
        var found: [(object: String, value: [UInt8])] = []
        let end = limit.map { offset.addingReportingOverflow($0) }
        let places = offset..<(end.map { $0.overflow ? .max : $0.partialValue } ?? .max)
        try store.persistentStore.forEachComponent(named: name, in: places) { object, value in
            found.append((object, value))
        }
        return found
    }

    /// Prints codable components: the values with keys are columns, in the order of the keys.
    private func printCoded(_ name: String, _ store: ToolStore, _ output: ToolOutput) throws {
        let found = try components(name, store).map { object, bytes in
            (object: object, value: try ContentBytes.read(bytes))
        }
        let names = CodedValue.names(of: found.map(\.value))
        ResultPrinter(
            format: format, names: ["object"] + names,
            isNumber: [false] + names.map { _ in false }
        ).print(
            found.map { [ValueText.text($0.object)] + CodedValue.cells(of: $0.value, names) },
            output)
    }
}
