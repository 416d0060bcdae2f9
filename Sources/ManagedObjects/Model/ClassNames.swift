// SPDX-License-Identifier: Apache-2.0

/// The name of a class for ``NSEntityDescription/managedObjectClassName``.
///
/// As Foundation's function for other classes, which on Linux ends the program for a class that is
/// declared within another type or a function.
public func NSStringFromClass(_ aClass: NSManagedObject.Type) -> String {
    aClass == NSManagedObject.self ? "NSManagedObject" : ClassLookup.qualifiedName(of: aClass)
}
