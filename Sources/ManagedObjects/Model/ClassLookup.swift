// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Finds classes by the names that models give them.
///
/// Linux has no Objective-C runtime that knows all classes by bare name. A name with its module is
/// found directly; a bare one is tried in the main executable's module and in each module that a
/// managed-object class was found in before.
enum ClassLookup {
    // Guards the modules seen so far; any thread may resolve a class.
    private static let modules = Mutex<Set<String>>([])

    static func find(_ name: String?) -> NSManagedObject.Type? {
        guard let name, !name.isEmpty, name != "NSManagedObject" else { return nil }
        let bare = name.hasPrefix(".") ? String(name.dropFirst()) : name
        // With two dots Foundation would print a warning: it takes them for a nested class.
        if bare.contains(".") { return NSClassFromString(bare) as? NSManagedObject.Type }
        for module in modules.withLock({ $0.sorted() }) + [mainModule] {
            if let found = NSClassFromString("\(module).\(bare)") as? NSManagedObject.Type {
                return found
            }
        }
        return nil
    }

    /// Remembers the module of a class that typed code uses.
    static func note(_ type: NSManagedObject.Type) {
        let name = qualifiedName(of: type)
        guard let dot = name.firstIndex(of: ".") else { return }
        let module = String(name[..<dot])
        _ = modules.withLock { $0.insert(module) }
    }

    /// The name of a class with its module, as `String(reflecting:)` has it.
    ///
    /// That one asks first whether the metatype describes itself: for an answer that is always no,
    /// a search through all conformances of the process, milliseconds in a fresh one.
    static func qualifiedName(of type: NSManagedObject.Type) -> String {
        _typeName(type, qualified: true)
    }

    private static let mainModule: String = {
        let executable = CommandLine.arguments.first ?? ""
        let name = executable.split(separator: "/").last.map(String.init) ?? ""
        return String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }()
}
