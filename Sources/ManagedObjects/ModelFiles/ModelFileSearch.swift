// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelFiles

/// Finds the model files among a program's resources.
///
/// The resources of the targets of a package count as those of the program: the package manager
/// puts them into folders beside it. But so it does for targets that other programs are made of,
/// and those of targets that are gone may be there still. So where the program has classes of some
/// of the models that are found, the others are not its.
struct ModelFileSearch {
    /// The program that runs.
    static let program = ModelFileSearch(
        resources: folder(of: .main), neighbours: Bundle.main.bundleURL)

    /// What a model file's name ends with; `momd` is what code from Apple's systems asks for.
    private static let extensions = ["xcdatamodeld", "momd", "xcdatamodel"]

    /// The folder with the resources of the program's bundle.
    let resources: URL
    /// The folder that has the folders with the resources of targets.
    let neighbours: URL

    /// All models of bundles.
    ///
    /// - Parameter bundles: The bundles; nil stands for the main one.
    static func models(of bundles: [Bundle]?) -> [URL] {
        (bundles ?? [.main]).flatMap { bundle in
            bundle.bundleURL == Bundle.main.bundleURL
                ? program.models() : models(in: [folder(of: bundle)])
        }
    }

    /// All models of the program; of several copies of one the first.
    func models() -> [URL] {
        var result: [URL] = []
        let found = Self.models(in: [resources]) + own(Self.models(in: targets))
        for url in found where !result.contains(where: { Self.isCopy(url, of: $0) }) {
            result.append(url)
        }
        return result
    }

    /// The model of a name: that of the program itself, or the only one of its targets.
    ///
    /// - Throws: `ModelFileError` if there is none, or several.
    func model(named name: String) throws(ModelFileError) -> URL {
        var found = Self.models(in: [resources]).filter { Self.isNamed(name, $0) }
        if found.isEmpty { found = Self.models(in: targets).filter { Self.isNamed(name, $0) } }
        if found.count > 1 { found = own(found) }
        guard let first = found.first else {
            throw ModelFileError(
                "there is no \(name).xcdatamodeld in "
                    + ([resources] + targets).map(\.path).joined(separator: ", ")
                    + "; declare it as a resource of a target, as .copy(\"\(name).xcdatamodeld\")")
        }
        guard found.allSatisfy({ Self.isCopy($0, of: first) }) else {
            let paths = found.map(\.path).joined(separator: ", ")
            throw ModelFileError(
                "there are several models \(name): \(paths); give the container one of them, "
                    + "read by NSManagedObjectModel.read(contentsOf:), or remove what a former "
                    + "build has left"
            )
        }
        return first
    }

    /// The folders that the package manager makes for the resources of targets.
    private var targets: [URL] {
        Self.names(in: neighbours)
            .filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
            .map { neighbours.appendingPathComponent($0, isDirectory: true) }
    }

    /// Those of some models that the program has classes of; all, if there are none.
    private func own(_ models: [URL]) -> [URL] {
        let own = models.filter { url in
            // What cannot be read is told when it is.
            guard let file = try? ModelBundle(at: url.path).currentModel() else { return false }
            return ModelFileModule(of: url).hasClass(of: file)
        }
        return own.isEmpty ? models : own
    }

    private static func folder(of bundle: Bundle) -> URL { bundle.resourceURL ?? bundle.bundleURL }

    private static func models(in folders: [URL]) -> [URL] {
        folders.flatMap { folder in
            names(in: folder)
                .filter { name in extensions.contains { name.hasSuffix("." + $0) } }
                .map { folder.appendingPathComponent($0) }
        }
    }

    /// What a folder has, in order; nothing for a folder that is not there.
    private static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    private static func isNamed(_ name: String, _ model: URL) -> Bool {
        model.deletingPathExtension().lastPathComponent == name
    }

    /// Whether one model is the other once more, as a target that it was moved from has it still.
    private static func isCopy(_ url: URL, of other: URL) -> Bool {
        url == other || FileManager.default.contentsEqual(atPath: url.path, andPath: other.path)
    }
}
