// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

extension NSPersistentContainer {
    /// Makes a container for the model of the same name among the program's resources.
    ///
    /// ```swift
    /// // Package.swift: resources: [.copy("Office.xcdatamodeld")]
    /// let container = NSPersistentContainer(name: "Office")
    /// container.loadPersistentStores { _, error in if let error { print(error) } }
    /// ```
    ///
    /// Looks for `<name>.xcdatamodeld` among the resources of the program and then of its packages,
    /// and reads the current version. Traps if there is none or if it cannot be read, with what is
    /// wrong: the model is a part of the program.
    ///
    /// - Parameter name: The name of the model, of the container and of its file.
    public convenience init(name: String) {
        let model: NSManagedObjectModel
        do {
            let url = try ModelFileSearch.program.model(named: name)
            model = try NSManagedObjectModel.read(contentsOf: url)
        } catch {
            trap("the container \(name) has no model: \(error.localizedDescription)")
        }
        self.init(name: name, managedObjectModel: model)
    }
}
