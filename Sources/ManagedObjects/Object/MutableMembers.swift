// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Traps

/// A to-many relationship as a live `NSMutableSet`.
///
/// Foundation's other methods end in those overridden here.
final class MutableMembers: NSMutableSet {
    private let owner: NSManagedObject
    private let relationship: RelationshipRuntime

    init(_ owner: NSManagedObject, _ relationship: RelationshipRuntime) {
        self.owner = owner
        self.relationship = relationship
        super.init(capacity: 0)
    }

    @available(*, unavailable)
    required init(capacity numItems: Int) { trap("made by mutableSetValue only") }

    @available(*, unavailable)
    required init?(coder aDecoder: NSCoder) {
        trap("made by mutableSetValue only")
    }

    override var count: Int { owner.loadedState(relationship).count }

    override func member(_ object: Any) -> Any? {
        guard let object = object as? NSManagedObject,
            owner.loadedState(relationship).contains(object.key)
        else { return nil }
        return object
    }

    override func objectEnumerator() -> NSEnumerator {
        NSArray(array: owner.destinations(relationship)).objectEnumerator()
    }

    override func add(_ object: Any) {
        owner.insert(owner.member(object, relationship), into: relationship)
    }

    override func remove(_ object: Any) {
        guard let object = object as? NSManagedObject else { return }
        owner.remove(object, from: relationship)
    }

    override func copy(with zone: NSZone? = nil) -> Any {
        NSSet(array: owner.destinations(relationship))
    }

    override func mutableCopy(with zone: NSZone? = nil) -> Any {
        NSMutableSet(array: owner.destinations(relationship))
    }
}

extension NSManagedObject {
    /// A value for a relationship as a managed object; traps for any other value.
    final func member(_ value: Any, _ relationship: RelationshipRuntime) -> NSManagedObject {
        guard let object = value as? NSManagedObject else {
            trap("\(relationship.name) takes managed objects, not \(value)")
        }
        return object
    }
}
