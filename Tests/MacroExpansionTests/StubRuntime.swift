// SPDX-License-Identifier: Apache-2.0

import Foundation

// Stand-ins for what ManagedObjects gives the expansion, just enough to compile
// it and to see which calls it makes.

/// A key; public because the key of a public property is.
public final class PropertyKey: Sendable {
    let name: String
    init(_ name: String, hasLimitedSetter: Bool = false) { self.name = name }
}

protocol ManagedValue {
    static var unset: Self { get }
}

extension String: ManagedValue { static var unset: String { "" } }
extension Int: ManagedValue { static var unset: Int { 0 } }
extension Set: ManagedValue { static var unset: Set { [] } }
extension Optional: ManagedValue { static var unset: Wrapped? { nil } }
extension NSOrderedSet: ManagedValue { static var unset: Self { Self() } }

/// An object that keeps its values in a dictionary and notes the other calls.
open class NSManagedObject: Hashable {
    var values: [String: Any] = [:]
    var calls: [String] = []

    /// Identity.
    public static func == (left: NSManagedObject, right: NSManagedObject) -> Bool { left === right }
    /// Identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    func __lode_read<T: ManagedValue>(_ key: PropertyKey) -> T {
        values[key.name] as? T ?? T.unset
    }
    func __lode_write<T: ManagedValue>(_ value: T, _ key: PropertyKey) { values[key.name] = value }

    fileprivate func note(_ call: String, _ key: PropertyKey) {
        calls.append("\(call) \(key.name)")
    }
    func __lode_insert(_ value: NSManagedObject, _ key: PropertyKey) { note("insert", key) }
    func __lode_remove(_ value: NSManagedObject, _ key: PropertyKey) { note("remove", key) }
    func __lode_insert<T: NSManagedObject>(contentsOf values: Set<T>, _ key: PropertyKey) {
        note("insert \(values.count)", key)
    }
    func __lode_remove<T: NSManagedObject>(contentsOf values: Set<T>, _ key: PropertyKey) {
        note("remove \(values.count)", key)
    }
    func __lode_insert(contentsOf values: NSSet, _ key: PropertyKey) { note("insert NSSet", key) }
    func __lode_remove(contentsOf values: NSSet, _ key: PropertyKey) { note("remove NSSet", key) }
    func __lode_insert(contentsOf values: NSOrderedSet, _ key: PropertyKey) {
        note("insert NSOrderedSet", key)
    }
    func __lode_remove(contentsOf values: NSOrderedSet, _ key: PropertyKey) {
        note("remove NSOrderedSet", key)
    }
}

extension NSManagedObject {
    func __lode_insert(_ value: NSManagedObject, at index: Int, _ key: PropertyKey) {
        note("insert at \(index)", key)
    }
    func __lode_remove(at index: Int, _ key: PropertyKey) { note("remove at \(index)", key) }
    func __lode_replace(at index: Int, with value: NSManagedObject, _ key: PropertyKey) {
        note("replace at \(index)", key)
    }
    func __lode_insert(
        contentsOf values: [NSManagedObject], at indexes: NSIndexSet, _ key: PropertyKey
    ) {
        note("insert \(values.count) at \(indexes.count)", key)
    }
    func __lode_remove(at indexes: NSIndexSet, _ key: PropertyKey) {
        note("remove at \(indexes.count)", key)
    }
    func __lode_replace(
        at indexes: NSIndexSet, with values: [NSManagedObject], _ key: PropertyKey
    ) {
        note("replace \(values.count) at \(indexes.count)", key)
    }
}

@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(__lode_), arbitrary)
macro Managed() = #externalMacro(module: "LodeMacros", type: "ManagedMacro")

@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(__lode_), arbitrary)
macro Managed(_ key: StaticString) = #externalMacro(module: "LodeMacros", type: "ManagedMacro")
