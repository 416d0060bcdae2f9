// SPDX-License-Identifier: Apache-2.0

@testable import ModelFiles

/// A text as the model of one version.
func model(_ content: String) throws(ModelFileError) -> ModelFile {
    let text = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        \(content)
        </model>
        """
    return try ModelFile(Array(text.utf8))
}

/// The error of a text that is no model; its lines count from 3, as those of ``model(_:)``.
func fault(_ content: String) -> String {
    do {
        return "read \(try model(content).entities.map(\.name))"
    } catch {
        return error.description
    }
}
