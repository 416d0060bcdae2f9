// SPDX-License-Identifier: Apache-2.0

import Schema
import Synchronization

/// Objects without a context, and what their relationships lead to.
///
/// A context finds objects by their keys. Without one, related objects keep each other until both
/// are inserted or the relationship is cleared.
extension NSManagedObject {
    /// The object of a key that one of the own relationships leads to.
    @inline(__always)
    final func related(_ key: ObjectKey) -> NSManagedObject? {
        if let context { return context.object(for: key) }
        return extras?.companions[key]
    }

    /// The objects of keys that one of the own relationships leads to, in their order.
    final func related(_ keys: some Sequence<ObjectKey>) -> [NSManagedObject] {
        let keys = ContiguousArray(keys)
        guard let context else { return keys.compactMap { extras?.companions[$0] } }
        return context.objects(for: keys)
    }

    /// The ID of an object that one of the own relationships leads to; makes no object.
    final func relatedID(_ key: ObjectKey) -> NSManagedObjectID? {
        if let context { return context.objectID(for: key) }
        return extras?.companions[key]?.objectID
    }

    /// Keeps an object that a relationship is about to lead to, unless a context finds it.
    @inline(__always)
    final func keepCompanion(_ object: NSManagedObject) {
        if contextReference == nil { requireExtras().companions[object.key] = object }
    }

    /// Lets go of an object that a relationship led to, unless another one still does.
    @inline(__always)
    final func dropCompanion(_ key: ObjectKey) {
        if contextReference == nil { dropUnused(key) }
    }

    /// Lets go of all objects that no relationship leads to any more.
    @inline(__always)
    final func dropCompanions() {
        guard contextReference == nil, let known = extras?.companions else { return }
        for key in known.keys { dropUnused(key) }
    }

    @inline(never)
    private final func dropUnused(_ key: ObjectKey) {
        guard let extras, extras.companions[key] != nil, !leadsAnywhere(to: key) else { return }
        // Out of the dictionary first, as its last reference may go with it.
        let object = extras.companions.removeValue(forKey: key)
        withExtendedLifetime(object) {}
    }

    private final func leadsAnywhere(to key: ObjectKey) -> Bool {
        let isDestination = runtime.toOneRelationships.contains { relationship in
            relationship.field >= 0 && draftValue(relationship.field) == .objectID(key)
        }
        return isDestination || extras?.toMany.contains { $0?.contains(key) == true } == true
            || extras?.primitives?.openChanges.values.contains { $0.contains(key) } == true
    }
}

extension NSManagedObject {
    /// The object and all objects without a context that its relationships reach.
    final var detachedGraph: [NSManagedObject] {
        var graph = [self]
        var known: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
        var position = 0
        while position < graph.count {
            let object = graph[position]
            position += 1
            for relationship in object.runtime.relationships {
                for partner in object.partners(relationship)
                where partner.contextReference == nil
                    && known.insert(ObjectIdentifier(partner)).inserted
                {
                    graph.append(partner)
                }
            }
        }
        return graph
    }

    /// Lets the context, which has just got the object, find the destinations of its relationships.
    final func settleCompanions() {
        guard let extras, !extras.companions.isEmpty else { return }
        var changed: [ObjectKey: ObjectKey] = [:]
        for (key, companion) in extras.companions where companion.key != key {
            changed[key] = companion.key
        }
        extras.companions = [:]
        for case let state? in extras.toMany {
            if !changed.isEmpty { state.replaceKeys(changed) }
        }
        if changed.isEmpty { return }
        for relationship in runtime.toOneRelationships where relationship.field >= 0 {
            guard case .objectID(let key)? = draftValue(relationship.field), let new = changed[key]
            else { continue }
            draft?[relationship.field] = .objectID(new)
        }
    }
}

/// The temporary keys of objects that have no context, from blocks of their own.
enum DetachedKeys {
    // Guarded, as objects without a context may be of any thread.
    private static let keys = Mutex(TemporaryKeys())

    static func make() -> ObjectKey { keys.withLock { $0.next() } }
}
