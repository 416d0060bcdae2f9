// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelFiles

/// The module of the classes of a model, which is that of the target whose resource it is.
///
/// The package manager calls the folder of a target's resources `<package>_<target>.resources`.
/// Either name may have underscores, so each part after one may be the target's.
struct ModelFileModule {
    /// The modules that it may be; none for a model that is no resource.
    private let candidates: [String]

    /// Takes the place of a model.
    init(of url: URL) {
        let folder = url.standardizedFileURL.pathComponents.last { component in
            component.hasSuffix(".resources") || component.hasSuffix(".bundle")
        }
        let name = folder?.prefix { $0 != "." } ?? ""
        // A module's name is that of its target as far as Swift can have it.
        let parts = name.split(separator: "_", omittingEmptySubsequences: false).map { part in
            String(part.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        }
        candidates = parts.indices.dropFirst().map { parts[$0...].joined(separator: "_") }
    }

    /// The name by which the program has the class that a model names.
    ///
    /// A leading point stands for the model's own module. Where the program has no class of the
    /// module that the model names, as Xcode called it otherwise, that of the own module is meant.
    func className(_ name: String) -> String {
        let bare = name.split(separator: ".").last.map(String.init) ?? name
        let isQualified = name.contains(".") && !name.hasPrefix(".")
        if isQualified, ClassLookup.find(name).type != nil { return name }
        return own(bare) ?? (isQualified ? name : bare)
    }

    /// Whether the program has one of a model's classes in the model's own module.
    func hasClass(of file: ModelFile) -> Bool {
        file.entities.contains { entity in
            let bare = entity.className?.split(separator: ".").last.map(String.init)
            return bare.flatMap(own) != nil
        }
    }

    private func own(_ bare: String) -> String? {
        candidates.lazy.map { "\($0).\(bare)" }.first { ClassLookup.find($0).type != nil }
    }
}
