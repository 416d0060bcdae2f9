// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelFiles

extension ModelFileError: DescribedError {}

extension NSManagedObjectModel {
    /// Reads a model that Xcode's model editor wrote; nil if that fails.
    ///
    /// Why it failed is told on standard error; ``read(contentsOf:)`` throws it.
    ///
    /// - Parameter url: A `.xcdatamodeld` folder, of which the current version is read, a
    ///   `.xcdatamodel` folder, or a file `contents` from one. What Xcode compiled, a `.momd` with
    ///   `.mom` files, cannot be read.
    public convenience init?(contentsOf url: URL) {
        self.init()
        do {
            try fill(contentsOf: url)
        } catch {
            Self.report("a model cannot be read: \(error)")
            return nil
        }
    }

    /// Reads a model that Xcode's model editor wrote.
    ///
    /// ```swift
    /// let url = URL(fileURLWithPath: "Office.xcdatamodeld")
    /// let model = try NSManagedObjectModel.read(contentsOf: url)
    /// let container = NSPersistentContainer(name: "Office", managedObjectModel: model)
    /// ```
    ///
    /// See <doc:ModelsFromXcode> for what is read, and what is not.
    ///
    /// - Parameter url: As for ``init(contentsOf:)``.
    /// - Throws: 260 if there is no such file, and 259 if it cannot be read, with path, line and
    ///   reason in its text.
    public static func read(contentsOf url: URL) throws -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        do {
            try model.fill(contentsOf: url)
        } catch {
            throw Self.error(error, url)
        }
        return model
    }

    private func fill(contentsOf url: URL) throws(ModelFileError) {
        guard url.isFileURL else {
            throw ModelFileError("\(url.absoluteString) is no file", path: "")
        }
        let bundle = try ModelBundle(at: url.path)
        try fill(bundle, version: bundle.current)
    }

    /// Gives the model, which is empty, what a version has.
    final func fill(
        _ bundle: ModelBundle, version: String
    ) throws(ModelFileError) {
        let file = try bundle.model(version: version)
        let path = bundle.path(ofVersion: version) ?? ""
        do {
            let module = ModelFileModule(of: URL(fileURLWithPath: path))
            try ModelFileDescriptions(file, module).fill(self)
        } catch {
            throw error.inFile(path)
        }
        // A coordinator would end the program; of classes, it alone can say whether they are there.
        do {
            _ = try PlainModel.make(self, with: nil).compile()
        } catch {
            throw ModelFileError("\(error)", path: path)
        }
    }

    /// Tells a failure where Core Data logs it.
    static func report(_ text: String) {
        FileHandle.standardError.write(Data("lode: \(text)\n".utf8))
    }

    /// The error to throw for one of reading.
    private static func error(_ error: ModelFileError, _ url: URL) -> CocoaError {
        let isThere = FileManager.default.fileExists(atPath: url.path)
        return CocoaError(
            isThere ? .fileReadCorruptFile : .fileReadNoSuchFile,
            userInfo: [
                NSLocalizedDescriptionKey: "\(error)", NSURLErrorKey: url,
                NSUnderlyingErrorKey: error,
            ])
    }
}
