// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Finds classes by the names that models give them.
///
/// A name may be bare, or have the class's module and the types that it is nested in before it.
/// Generic classes are found once typed code has used them.
enum ClassLookup {
    /// The result of looking up a name.
    enum Answer {
        case missing
        case found(NSManagedObject.Type)
        /// Classes in different modules or types, none of which takes precedence.
        case several([NSManagedObject.Type])

        var type: NSManagedObject.Type? {
            if case .found(let type) = self { type } else { nil }
        }
    }

    // Guards the classes seen so far; any thread may resolve one.
    private static let used = Mutex<[ObjectIdentifier: NSManagedObject.Type]>([:])

    /// Grows with each class that is noted.
    static var generation: Int { count.load(ordering: .relaxed) }

    private static let count = Atomic<Int>(0)

    /// Whether a name names a class other than `NSManagedObject` itself.
    static func isSpecific(_ name: String?) -> Bool {
        name.map { !["", "NSManagedObject", qualifiedName(of: NSManagedObject.self)].contains($0) }
            ?? false
    }

    static func find(_ name: String) -> Answer {
        guard isSpecific(name) else { return .missing }
        let path = name.hasPrefix(".") ? String(name.dropFirst()) : name
        // With two dots Foundation would print a warning: it takes them for a nested class.
        if path.split(separator: ".").count == 2, !path.contains("<"),
            let type = NSClassFromString(path) as? NSManagedObject.Type
        {
            return .found(type)
        }
        let noted = used.withLock { Array($0.values) }.filter { matches($0, path) }
        if noted.count == 1 { return .found(noted[0]) }
        let bare = path.split(separator: ".").last.map(String.init) ?? path
        var found = noted
        for type in LoadedClasses.named(bare) where matches(type, path) {
            if !found.contains(where: { $0 == type }) { found.append(type) }
        }
        // A program's class takes precedence over the library's; this module's classes never match.
        found.removeAll { module(of: $0) == ownModule }
        let foreign = found.filter { module(of: $0) != "ECS" }
        if !foreign.isEmpty { found = foreign }
        let exact = found.filter { qualifiedName(of: $0) == path || plainName(of: $0) == path }
        if exact.count == 1 { return .found(exact[0]) }
        guard found.count < 2 else { return .several(found) }
        return found.first.map { .found($0) } ?? .missing
    }

    private static let ownModule = module(of: NSManagedObject.self)

    private static func module(of type: NSManagedObject.Type) -> Substring {
        qualifiedName(of: type).prefix { $0 != "." }
    }

    /// Whether a name, bare or with some of what is before it, is that of a class.
    static func matches(_ type: NSManagedObject.Type, _ name: String) -> Bool {
        let (qualified, plain) = (qualifiedName(of: type), plainName(of: type))
        return name == qualified || name == plain || name == _typeName(type, qualified: false)
            || plain.hasSuffix("." + name)
    }

    /// Remembers a class that typed code uses.
    static func note(_ type: NSManagedObject.Type) {
        let isNew = used.withLock { $0.updateValue(type, forKey: ObjectIdentifier(type)) == nil }
        if isNew { count.add(1, ordering: .relaxed) }
    }

    /// The name of a class with its module, as `String(reflecting:)` has it.
    ///
    /// `String(reflecting:)` first checks whether the metatype describes itself. It never does, but
    /// the check searches all conformances of the process, which takes milliseconds in a fresh one.
    static func qualifiedName(of type: NSManagedObject.Type) -> String {
        _typeName(type, qualified: true)
    }

    /// The name without the contexts of private types, which differ in each process.
    private static func plainName(of type: NSManagedObject.Type) -> String {
        let name = qualifiedName(of: type)
        guard name.contains("(") else { return name }
        return name.split(separator: ".").filter { !$0.hasPrefix("(") }.joined(separator: ".")
    }
}
