// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

extension PartialKeyPath where Root: NSManagedObject {
    /// The key of key-value coding that the key path stands for, as predicates and sort descriptors
    /// take it.
    ///
    /// ```swift
    /// print((\Book.year).managedName)  // year
    /// print((\Book.author?.name).managedName)  // author.name
    /// let isNew = NSPredicate(format: "%K > 1990", (\Book.year).managedName)
    /// ```
    ///
    /// It is the name in the model, also where `@Managed("name")` gives another than the code.
    /// `\.self` has the name `self`. A key path is looked at once, on any thread. For that it is
    /// applied to objects that are in no context and have values of no meaning: a computed
    /// property, which is no answer, may so be run, and of a class with stored properties its
    /// initialiser.
    ///
    /// Traps with the key path for one that leads through anything but managed properties.
    public var managedName: String {
        ManagedKeyPath.name(of: self)
    }

    /// The key that the key path stands for, as ``managedName``.
    ///
    /// - Throws: 134070 for a key path that leads through anything but managed properties.
    public func requireManagedName() throws(CocoaError) -> String {
        do {
            return try ManagedKeyPath.requireName(of: self)
        } catch {
            throw CoreDataError.make(.persistentStoreOperation, error.message)
        }
    }
}
