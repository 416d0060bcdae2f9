// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One file to import.
public struct ImportSource: Sendable, Hashable {
    /// The path of the file.
    public var path: String
    /// How the file is read.
    public var format: ImportFormat
    /// The entity of rows that do not name their own: the file's name without extension.
    public var entityName: String
    /// The file's size, for progress.
    public var byteCount: Int

    /// Makes a source.
    public init(path: String, format: ImportFormat, entityName: String, byteCount: Int = 0) {
        self.path = path
        self.format = format
        self.entityName = entityName
        self.byteCount = byteCount
    }

    /// The sources at a path: the file itself, or the files of a folder, sorted by name.
    ///
    /// In a folder, files with other extensions and hidden files are passed over; folders within
    /// it are not entered.
    /// - Parameter format: The format of every file, `nil` to go by extension.
    /// - Throws: ``ImportError/Code/cannotOpen``; ``ImportError/Code/unsupportedFormat`` when
    ///   nothing can be read.
    public static func discover(
        at path: String, format: ImportFormat? = nil
    ) throws(ImportError) -> [ImportSource] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ImportError(
                .cannotOpen, file: path, message: "no such file or folder; check the path")
        }
        let paths = isFolder.boolValue ? try files(in: path) : [path]
        let sources = paths.compactMap { source(at: $0, format: format) }
        if sources.isEmpty {
            throw ImportError(
                .unsupportedFormat, file: path,
                message: "nothing to import; files must end in .json, .jsonl, .csv or .tsv, "
                    + "or a format must be given")
        }
        return sources
    }

    private static func files(in folder: String) throws(ImportError) -> [String] {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            return names.filter { !$0.hasPrefix(".") }.sorted()
                .map { folder.hasSuffix("/") ? folder + $0 : folder + "/" + $0 }
        } catch {
            throw ImportError(
                .cannotOpen, file: folder,
                message: "cannot list the folder: \(error.localizedDescription)")
        }
    }

    private static func source(at path: String, format: ImportFormat?) -> ImportSource? {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: (path as NSString).resolvingSymlinksInPath)
        if attributes?[.type] as? FileAttributeType == .typeDirectory { return nil }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let suffix = String(name[dot...].dropFirst())
        guard let format = format ?? ImportFormat(fileExtension: suffix) else { return nil }
        let size = attributes?[.size] as? Int ?? 0
        return ImportSource(
            path: path, format: format, entityName: String(name[..<dot]), byteCount: size)
    }
}

extension ImportSource {
    /// Opens the file at its first row.
    package func open(_ options: ReaderOptions) throws(ImportError) -> any RowSource {
        makeReader(try ByteInput(path: path), options)
    }

    /// Makes the reader of the source's format.
    package func makeReader(_ input: ByteInput, _ options: ReaderOptions) -> any RowSource {
        switch format {
        case .json:
            JSONReader(input, entityName: entityName, options: options)
        case .jsonLines:
            JSONLinesReader(input, entityName: entityName, options: options)
        case .csv:
            CSVReader(
                input, entityName: entityName, delimiter: options.delimiter ?? 0x2C,
                options: options)
        case .tsv:
            CSVReader(
                input, entityName: entityName, delimiter: options.delimiter ?? 0x09,
                options: options)
        }
    }
}
