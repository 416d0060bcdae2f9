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
            let path = bundle.path(ofVersion: bundle.current) ?? model
            do {
                let file = try bundle.currentModel()
                try write(try ClassWriter(file, name: bundle.current).text(), to: output)
                for omission in file.omissions {
                    tell("\(path):\(omission.line): warning: \(omission.reason)")
                }
            } catch let error as ModelFileError where error.path.isEmpty {
                throw error.inFile(path)
            }
        } catch let error as ModelFileError {
            // As compilers write them, so that an editor finds the place.
            let place = error.line > 0 ? "\(error.path):\(error.line)" : error.path
            fail("\(place): error: \(error.reason)")
        } catch {
            fail("\(output): error: \(error.localizedDescription)")
        }
    }

    /// Writes a file, unless it has the text: what is made of it then stays as it is.
    private static func write(_ text: String, to path: String) throws {
        let data = Data(text.utf8)
        guard FileManager.default.contents(atPath: path) != data else { return }
        try data.write(to: URL(fileURLWithPath: path))
    }

    private static func tell(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    private static func fail(_ text: String) -> Never {
        tell(text)
        exit(1)
    }
}
