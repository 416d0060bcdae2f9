// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelFiles

/// Finds the model files among a program's resources.
enum ModelFileSearch {
    /// What a model file's name ends with; `momd` is what code from Apple's systems asks for.
    private static let extensions = ["xcdatamodeld", "momd", "xcdatamodel"]

    /// The folders with the resources of bundles.
    ///
    /// - Parameter bundles: The bundles; nil stands for the program with the resources of its
    ///   packages, which lie in folders beside it.
    static func folders(of bundles: [Bundle]?) -> [URL] {
        guard let bundles else {
            let main = folder(of: .main)
            return [main] + packageFolders(in: Bundle.main.bundleURL)
        }
        return bundles.map(folder)
    }

    private static func folder(of bundle: Bundle) -> URL { bundle.resourceURL ?? bundle.bundleURL }

    /// The folders that the package manager makes for the resources of targets.
    private static func packageFolders(in folder: URL) -> [URL] {
        names(in: folder).filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
            .map { folder.appendingPathComponent($0, isDirectory: true) }
    }

    /// What a folder has, in order; nothing for a folder that is not there.
    private static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    /// All models in some folders.
    static func models(in folders: [URL]) -> [URL] {
        folders.flatMap { folder in
            names(in: folder)
                .filter { name in extensions.contains { name.hasSuffix("." + $0) } }
                .map { folder.appendingPathComponent($0) }
        }
    }

    /// The model of a name: that of the program itself, or the only one of its packages.
    ///
    /// - Throws: `ModelFileError` if there is none, or several.
    static func model(named name: String) throws(ModelFileError) -> URL {
        let folders = folders(of: nil)
        for candidates in [folders.prefix(1), folders.dropFirst()] {
            let found = models(in: Array(candidates)).filter {
                $0.deletingPathExtension().lastPathComponent == name
            }
            if found.count > 1 {
                throw ModelFileError(
                    "there are several models \(name): "
                        + found.map(\.path).joined(separator: ", ")
                        + "; give the container one of them, read by "
                        + "NSManagedObjectModel.read(contentsOf:)")
            }
            if let only = found.first { return only }
        }
        throw ModelFileError(
            "there is no \(name).xcdatamodeld in \(folders.map(\.path).joined(separator: ", ")); "
                + "declare it as a resource of a target, as .copy(\"\(name).xcdatamodeld\")")
    }

    /// Tells a failure where Core Data logs it.
    static func report(_ text: String) {
        FileHandle.standardError.write(Data("Lode: \(text)\n".utf8))
    }

    /// The error to throw for one of reading.
    static func error(_ error: ModelFileError, _ url: URL) -> CocoaError {
        let isThere = FileManager.default.fileExists(atPath: url.path)
        return CocoaError(
            isThere ? .fileReadCorruptFile : .fileReadNoSuchFile,
            userInfo: [
                NSLocalizedDescriptionKey: "\(error)", NSURLErrorKey: url,
                NSUnderlyingErrorKey: error,
            ])
    }
}
