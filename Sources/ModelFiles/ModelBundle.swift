// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder with the versions of a model, as Xcode keeps it.
///
/// ```swift
/// let bundle = try ModelBundle(at: "Office.xcdatamodeld")
/// print(bundle.versions)  // ["Office", "Office 2"]
/// let model = try bundle.currentModel()
/// ```
///
/// `Office.xcdatamodeld` has a folder `NAME.xcdatamodel` for each version, with the model in its
/// file `contents`; `.xccurrentversion` names the current one where there are several. A folder
/// `Office.xcdatamodel` is a model with one version, and so is a file with the XML in it.
public struct ModelBundle: Sendable {
    /// The names of the versions without their extension, in order; numbers count as such.
    public let versions: [String]
    /// The name of the version in use.
    public let current: String
    /// The files of the versions.
    private let paths: [String: String]

    /// Finds the versions of a model.
    ///
    /// - Parameter path: A `.xcdatamodeld` or `.xcdatamodel` folder, or a file of XML.
    /// - Throws: ``ModelFileError`` if there is none, if it is a model that Xcode compiled, or if
    ///   the current version is not there.
    public init(at path: String) throws(ModelFileError) {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let name = Self.name(of: path)
        guard let isFolder = Self.isFolder(path) else {
            throw ModelFileError("there is no such model", path: path)
        }
        if !isFolder {
            self.init(name, path)
        } else if Self.isFolder(path + "/contents") == false {
            self.init(name, path + "/contents")
        } else {
            try self.init(versionsIn: path)
        }
    }

    private init(_ name: String, _ path: String) {
        versions = [name]
        current = name
        paths = [name: path]
    }

    private init(versionsIn path: String) throws(ModelFileError) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw ModelFileError("the folder cannot be read: \(error)", path: path)
        }
        var paths: [String: String] = [:]
        for name in names where name.hasSuffix(".xcdatamodel") {
            let file = "\(path)/\(name)/contents"
            if Self.isFolder(file) == false { paths[Self.name(of: name)] = file }
        }
        guard !paths.isEmpty else {
            let isCompiled = names.contains { $0.hasSuffix(".mom") }
            throw ModelFileError(
                isCompiled
                    ? "the model was compiled by Xcode, in a form of its own; use the .xcdatamodeld"
                    : "the folder has no .xcdatamodel with a file contents in it", path: path)
        }
        self.paths = paths
        versions = paths.keys.sorted {
            $0.compare($1, options: .numeric) == .orderedAscending
        }
        current = try Self.currentVersion(in: path, of: versions)
    }

    /// The current version: the named one, or the only one.
    private static func currentVersion(
        in path: String, of versions: [String]
    ) throws(ModelFileError) -> String {
        let file = path + "/.xccurrentversion"
        guard isFolder(file) == false else {
            if let only = versions.first, versions.count == 1 { return only }
            throw ModelFileError(
                "there are \(versions.count) versions and no .xccurrentversion to name the current "
                    + "one; copy that file, too", path: path)
        }
        let entries: [String: Any]?
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            let list = try PropertyListSerialization.propertyList(from: data, format: nil)
            entries = list as? [String: Any]
        } catch {
            throw ModelFileError("the property list cannot be read: \(error)", path: file)
        }
        guard let text = entries?["_XCCurrentVersionName"] as? String else {
            throw ModelFileError("there is no _XCCurrentVersionName", path: file)
        }
        let name = self.name(of: text)
        guard versions.contains(name) else {
            throw ModelFileError("the current version, \(text), is not there", path: file)
        }
        return name
    }

    /// Reads the current version.
    ///
    /// - Throws: ``ModelFileError``.
    public func currentModel() throws(ModelFileError) -> ModelFile { try model(version: current) }

    /// Reads a version.
    ///
    /// - Parameter name: One of ``versions``.
    /// - Throws: ``ModelFileError``, also for a name that is none of them.
    public func model(version name: String) throws(ModelFileError) -> ModelFile {
        guard let path = paths[name] else {
            throw ModelFileError(
                "there is no version \(name); there are \(versions.joined(separator: ", "))")
        }
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw ModelFileError("the file cannot be read: \(error)", path: path)
        }
        do {
            return try ModelFile(Array(data))
        } catch {
            throw error.inFile(path)
        }
    }

    /// The file of a version; nil for a name that is none of ``versions``.
    public func path(ofVersion name: String) -> String? { paths[name] }

    /// The last part of a path, without its extension.
    private static func name(of path: String) -> String {
        URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }

    /// Whether a path is a folder; nil where nothing is.
    private static func isFolder(_ path: String) -> Bool? {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            return nil
        }
        return isDirectory.boolValue
    }
}
