// SPDX-License-Identifier: Apache-2.0

import Schema
import Synchronization
import Traps

/// A relationship of one entity as its objects see it.
// SAFETY: the links are set while the model is compiled, before other code sees them, and cleared
// as it goes: code that follows them keeps the model.
final class RelationshipRuntime: @unchecked Sendable {
    let relationship: Relationship
    let entityName: String
    /// Whether the destinations of a to-many relationship have an order.
    let isOrdered: Bool
    /// The ordinal of the entity.
    let ordinal: Int
    /// The position in the entity's relationships, and in its table's.
    let position: Int
    /// The position among the to-many relationships; -1 for to-one.
    let toManyIndex: Int
    /// The position in drafts; -1 for to-many.
    let field: Int
    // Unretained: the runtimes of a model live and go together.
    private unowned(unsafe) var target: EntityRuntime?
    /// Where the destination's entity lies, to compare without counting a reference to it.
    private var targetAddress: UInt = 0
    /// The inverse by the ordinal of the destination object's entity.
    // SAFETY: the model keeps the runtimes, and has them forget each other before it goes. It is
    // set before other code sees them.
    @exclusivity(unchecked) private var inverses: [Unmanaged<RelationshipRuntime>?] = []
    private(set) var hasInverse = false
    /// The class that typed code read destinations as at last, as an address.
    private let suggested = Atomic<UInt>(0)

    init(
        _ relationship: Relationship, entityName: String, ordinal: Int, position: Int,
        toManyIndex: Int, field: Int
    ) {
        self.ordinal = ordinal
        self.relationship = relationship
        isOrdered = relationship.isOrdered && relationship.isToMany
        self.entityName = entityName
        self.position = position
        self.toManyIndex = toManyIndex
        self.field = field
    }

    var isToMany: Bool { toManyIndex >= 0 }

    /// The entity at the other end.
    var destination: EntityRuntime {
        guard let target else {
            trap("\(entityName).\(relationship.name) is unlinked")
        }
        return target
    }

    /// Whether the model allows an object as a destination.
    @inline(__always)
    func leads(to object: NSManagedObject) -> Bool {
        UInt(bitPattern: object.runtimeReference.toOpaque()) == targetAddress
            || object.runtime.isKind(of: destination)
    }

    /// Lets the destination's entity learn its class from typed code; once a class.
    func suggest(_ type: NSManagedObject.Type) {
        let address = UInt(bitPattern: ObjectIdentifier(type))
        guard suggested.load(ordering: .relaxed) != address else { return }
        destination.suggest(type)
        suggested.store(address, ordering: .relaxed)
    }

    /// The relationship of a destination's entity that points back.
    func inverse(in runtime: EntityRuntime) -> RelationshipRuntime? {
        // SAFETY: as for the reference.
        inverseReference(inEntity: runtime.ordinal)?.takeUnretainedValue()
    }

    /// The same by the ordinal of the entity, without a count of references.
    // SAFETY: valid as long as the model, see `inverses`.
    @inline(__always)
    func inverseReference(inEntity ordinal: Int) -> Unmanaged<RelationshipRuntime>? {
        hasInverse ? inverses[ordinal] : nil
    }

    /// Forgets the runtimes that go with the model.
    func unlink() {
        target = nil
        targetAddress = 0
        inverses = []
        hasInverse = false
    }

    func link(in model: CompiledModel) {
        guard let target = model.runtime(named: relationship.destination) else {
            trap("no entity \(relationship.destination)")
        }
        self.target = target
        targetAddress = UInt(bitPattern: ObjectIdentifier(target))
        guard let name = relationship.inverse else { return }
        hasInverse = true
        inverses = Array(repeating: nil, count: model.runtimes.count)
        for runtime in target.family {
            // SAFETY: the model keeps the runtimes, and has them forget each other before it goes.
            inverses[runtime.ordinal] = runtime.relationships
                .first { $0.relationship.name == name }.map { Unmanaged.passUnretained($0) }
        }
    }
}
