// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// Generates the classes of a target's models before it is compiled, as Xcode does.
///
/// For each model among the target's files, a `.xcdatamodeld` or a `.xcdatamodel` by itself, one
/// source file with the classes of the entities whose code generation is "Class Definition" or
/// "Category/Extension".
@main
struct GenerateModelClasses: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let tool = try context.tool(named: "ModelClassesTool").url
        var names: [String: Int] = [:]
        return models(in: target.directoryURL).map { model in
            let name = model.deletingPathExtension().lastPathComponent
            // Two folders of a target may have models of one name.
            let number = names[name, default: 0] + 1
            names[name] = number
            let output = context.pluginWorkDirectoryURL
                .appendingPathComponent("\(name)\(number > 1 ? "-\(number)" : "")+Classes.swift")
            return .buildCommand(
                displayName: "Generating the classes of \(name)", executable: tool,
                arguments: [model.path, output.path], inputFiles: files(of: model),
                outputFiles: [output])
        }
    }

    /// The models in a folder, wherever in it they are.
    private func models(in folder: URL) -> [URL] {
        let entries = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var result: [URL] = []
        while let url = entries?.nextObject() as? URL {
            let folder = url.deletingLastPathComponent()
            let isVersion =
                url.pathExtension == "xcdatamodel" && folder.pathExtension == "xcdatamodeld"
            if url.pathExtension.hasPrefix("xcdatamodel"), !isVersion { result.append(url) }
        }
        return result.sorted { $0.path < $1.path }
    }

    /// What a model's classes depend on: the versions, and which of them is current.
    private func files(of model: URL) -> [URL] {
        let entries = FileManager.default.enumerator(at: model, includingPropertiesForKeys: nil)
        var result: [URL] = []
        while let url = entries?.nextObject() as? URL {
            if ["contents", ".xccurrentversion"].contains(url.lastPathComponent) {
                result.append(url)
            }
        }
        return result.sorted { $0.path < $1.path }
    }
}
