// SPDX-License-Identifier: Apache-2.0

import Schema

/// Two objects with the same values of a uniqueness constraint.
public struct UniquenessCollision: Sendable, Hashable {
    /// The number of the constraint's index, which subentities share.
    public let index: PropertyNumber
    /// An object that the transaction wrote.
    public let object: ObjectKey
    /// The object that has the values already: one of the store, or of the same transaction.
    public let other: ObjectKey

    /// Makes a collision.
    public init(index: PropertyNumber, object: ObjectKey, other: ObjectKey) {
        self.index = index
        self.object = object
        self.other = other
    }
}

extension StoreError {
    /// The error of a transaction whose objects collide.
    init(_ collisions: [UniquenessCollision], in store: Store) {
        let first = collisions[0]
        let table = store.ordinal(of: first.object.entity).map { store.tables[$0] }
        let index = table?.indexes.first { $0.number == first.index }?.index
        let entity = table?.entity.name ?? ""
        let other = store.ordinal(of: first.other.entity).map { store.tables[$0].entity.name }
        let properties = index?.properties.joined(separator: ", ") ?? ""
        self.init(
            .constraint, path: store.path,
            (other ?? entity == entity
                ? "two objects of \(entity) have the same \(properties)"
                : "an object of \(entity) and one of \(other ?? "") have the same \(properties)")
                + "; change one of them, or choose a merge policy that decides",
            objects: [first.object, first.other], constraint: (entity, index?.name ?? ""),
            collisions: collisions)
    }
}
