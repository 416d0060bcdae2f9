// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The position at which an attribute was found last, for a key that is text.
///
/// What ``PropertyKey`` is to typed code: the key is looked up once an entity; afterwards its
/// position is one atomic load away.
struct FieldCache: ~Copyable, Sendable {
    /// Entity identifier, which is never 0, and position (32 bits each); 0 for unresolved.
    private let entry = Atomic<UInt64>(0)

    /// The position of an entity's attribute; nil for a key that is none.
    @inline(__always)
    func attribute(_ key: String, of runtime: EntityRuntime) -> Int? {
        let known = entry.load(ordering: .relaxed)
        if UInt32(truncatingIfNeeded: known >> 32) == runtime.identifier {
            return Int(UInt32(truncatingIfNeeded: known))
        }
        return find(key, of: runtime)
    }

    @inline(never)
    private func find(_ key: String, of runtime: EntityRuntime) -> Int? {
        guard case .field(let position)? = runtime.references[key],
            !runtime.fields[position].isRelationship
        else { return nil }
        entry.store(UInt64(runtime.identifier) << 32 | UInt64(position), ordering: .relaxed)
        return position
    }
}
