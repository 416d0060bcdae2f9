// SPDX-License-Identifier: Apache-2.0

import Lode

/// `lode import`: files into a store.
struct ImportCommand {
    private let path: String
    private let store: URL
    private let options: ImportOptions
    private let isQuiet: Bool

    init(_ arguments: [String]) throws {
        let parsed = try ParsedArguments(
            arguments, command: "import", options: ["into", "mapping", "format", "delimiter"],
            flags: ["strict", "quiet"])
        try parsed.expect("FILE-OR-FOLDER")
        path = parsed.positional[0]
        store = URL(fileURLWithPath: try parsed.required("into"))
        isQuiet = parsed.has("quiet")
        var options = ImportOptions()
        options.isStrict = parsed.has("strict")
        if let format = parsed.value("format") {
            guard let found = ImportFormat(fileExtension: format) else {
                throw UsageError(
                    "--format takes json, jsonl, csv or tsv, not \(format)", command: "import")
            }
            options.format = found
        }
        options.reader.delimiter = try parsed.value("delimiter").map(ImportCommand.delimiter)
        if let mapping = parsed.value("mapping") {
            options.mapping = try ImportMapping.read(path: mapping)
        }
        self.options = options
    }

    /// The byte between the fields of a CSV row.
    private static func delimiter(_ text: String) throws -> UInt8 {
        if text == "tab" { return 0x09 }
        guard text.utf8.count == 1, let byte = text.utf8.first, byte < 0x80,
            !"\"\r\n".utf8.contains(byte)
        else {
            throw UsageError(
                "--delimiter takes one character of ASCII, such as ';', or tab, not \(text)",
                command: "import")
        }
        return byte
    }

    /// Imports; 2 when rows were rejected.
    func run(_ output: ToolOutput, _ error: ToolOutput) throws -> Int32 {
        let display = ProgressDisplay(error)
        let handler: ImportProgress.Handler? = isQuiet ? nil : { display.show($0) }
        let importer = try importer(handler)
        display.endPhase()
        if !isQuiet {
            output.text("\(importer.model)")
            output.line()
        }
        let report = try importer.load(progress: handler)
        display.endPhase()
        if !isQuiet || report.rejectionCount > 0 { output.text("\(report)") }
        return report.rejectionCount > 0 ? 2 : 0
    }

    private func importer(_ handler: ImportProgress.Handler?) throws -> LibraryImporter {
        try LibraryImporter(path: path, into: store, options: options, progress: handler)
    }
}
