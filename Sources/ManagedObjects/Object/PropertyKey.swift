// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Traps

/// The name of a property in typed code, with the position it was found at last.
///
/// The `@Managed` macro makes one a property, as a static constant that needs no initialiser at run
/// time. A name is looked up once an entity: afterwards the cached position is one atomic load
/// away.
@frozen
public struct PropertyKey: ~Copyable, Sendable {
    /// The modelled name.
    public let name: StaticString
    /// Whether the property's setter is less accessible than the property.
    public let hasLimitedSetter: Bool
    /// Entity identifier (32 bits), fast flag (1), position (15), offset in narrow
    /// records (16); 0 for unresolved.
    @usableFromInline let cache: Atomic<UInt64>

    /// Makes an unresolved key.
    @inlinable
    public init(_ name: StaticString, hasLimitedSetter: Bool = false) {
        self.name = name
        self.hasLimitedSetter = hasLimitedSetter
        cache = Atomic(0)
    }

    /// Bit 31: the property is a stored field of exactly the Swift type's width and kind.
    static var fastBit: UInt64 { 1 << 31 }

    /// The cached position for an entity, or 0.
    // SAFETY: the runtime is that of an object that the caller uses, which keeps it.
    @inline(__always)
    func cached(for runtime: Unmanaged<EntityRuntime>) -> UInt64 {
        let entry = cache.load(ordering: .relaxed)
        let identifier = runtime._withUnsafeGuaranteedRef { $0.identifier }
        return UInt32(truncatingIfNeeded: entry >> 32) == identifier ? entry : 0
    }

    /// Finds the position of a field; traps for a key that the entity lacks or that is to-many.
    // SAFETY: the runtime is that of an object that the caller uses, which keeps it.
    @inline(__always)
    func field(in runtime: Unmanaged<EntityRuntime>) -> Int {
        let entry = cached(for: runtime)
        return entry != 0
            ? Int(entry >> 16) & 0x7FFF : findField(in: runtime.takeUnretainedValue())
    }

    @inline(never)
    private func findField(in runtime: EntityRuntime) -> Int {
        if runtime.isProbe { return KeyPathProbe.noteField(self, runtime) }
        guard case .field(let position)? = runtime.references[modelledName(in: runtime)] else {
            trap(
                "entity \(runtime.entity.name) has no attribute or to-one relationship \(name)")
        }
        remember(position, offset: nil, for: runtime)
        return position
    }

    /// Finds a to-many relationship; traps for a key that the entity lacks.
    // SAFETY: the runtime is that of an object that the caller uses, which keeps it.
    func relationship(in reference: Unmanaged<EntityRuntime>) -> RelationshipRuntime {
        let entry = cached(for: reference)
        let runtime = reference.takeUnretainedValue()
        if entry != 0 { return runtime.toManyRelationships[Int(entry >> 16) & 0x7FFF] }
        if runtime.isProbe { return KeyPathProbe.noteToMany(self, runtime) }
        guard case .toMany(let index)? = runtime.references[modelledName(in: runtime)] else {
            trap("entity \(runtime.entity.name) has no to-many relationship \(name)")
        }
        remember(index, offset: nil, for: runtime)
        return runtime.toManyRelationships[index]
    }

    /// The name of the property whose value the key has: `name` for `primitiveName`, unless the
    /// entity has a property of that name.
    func modelledName(in runtime: EntityRuntime) -> String {
        let name = "\(name)"
        guard runtime.references[name] == nil, let rest = PropertyKey.nameOfRaw(name) else {
            return name
        }
        return [PropertyKey.lowered(rest), rest].first { runtime.references[$0] != nil } ?? name
    }

    /// The name as key paths have it, which know no model: that of the property whose raw value it
    /// is.
    var pathName: String {
        let name = "\(name)"
        return PropertyKey.nameOfRaw(name).map(PropertyKey.lowered) ?? name
    }

    /// `Name` for `primitiveName`; nil for other names.
    private static func nameOfRaw(_ name: String) -> String? {
        guard name.hasPrefix("primitive") else { return nil }
        let rest = name.dropFirst("primitive".count)
        guard let first = rest.utf8.first, !(0x61...0x7A).contains(first) else { return nil }
        return String(rest)
    }

    private static func lowered(_ name: String) -> String {
        name.prefix(1).lowercased() + name.dropFirst()
    }

    /// Caches a position, with the offset where typed code may load the slot directly.
    func remember(_ position: Int, offset: Int?, for runtime: EntityRuntime) {
        guard position < 0x8000 else { return }
        var entry = UInt64(runtime.identifier) << 32 | UInt64(position) << 16
        if let offset, offset < 0x1_0000 { entry |= PropertyKey.fastBit | UInt64(offset) }
        cache.store(entry, ordering: .relaxed)
    }
}
