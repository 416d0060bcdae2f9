// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelClasses
import ModelFiles

/// Writes the classes of a model into a file, for the build plugin.
@main
struct ModelClassesTool {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let model = arguments.first, let output = arguments.last, arguments.count == 2 else {
            fail("usage: ModelClassesTool MODEL.xcdatamodeld OUTPUT.swift")
        }
        do {
            let bundle = try ModelBundle(at: model)
            do {
                let file = try bundle.currentModel()
                let text = try ClassWriter(file, name: bundle.current).text()
                try Data(text.utf8).write(to: URL(fileURLWithPath: output))
            } catch let error as ModelFileError where error.path.isEmpty {
                throw error.inFile(bundle.path(ofVersion: bundle.current) ?? model)
            }
        } catch let error as ModelFileError {
            // As compilers write them, so that an editor finds the place.
            let place = error.line > 0 ? "\(error.path):\(error.line)" : error.path
            fail("\(place): error: \(error.reason)")
        } catch {
            fail("\(output): error: \(error.localizedDescription)")
        }
    }

    private static func fail(_ text: String) -> Never {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
        exit(1)
    }
}
