// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// A fetch index over attributes and to-one relationships of an entity.
// Sendable because a frozen description never changes, and an unfrozen one belongs to its builder.
open class NSFetchIndexDescription: NSObject, NSCopying, @unchecked Sendable {
    /// The index's name.
    open var name: String { willSet { checkMutable() } }
    /// The indexed properties, most significant first.
    open var elements: [NSFetchIndexElementDescription] {
        willSet { checkMutable() }
        didSet {
            for element in oldValue { element.leave(self) }
            adopt(elements)
        }
    }
    /// Which objects an index is meant for; accepted, but an index holds all of them.
    open var partialIndexPredicate: NSPredicate? { willSet { checkMutable() } }
    // Unowned, not weak: a weak reference would make every retain of the entity slower.
    private unowned var owner: NSEntityDescription?

    /// Makes an index.
    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        self.name = name
        self.elements = elements ?? []
        super.init()
        adopt(self.elements)
    }

    deinit {
        for element in elements { element.leave(self) }
    }

    /// The entity that has the index; `nil` before it was added to one.
    open var entity: NSEntityDescription? { owner }

    func setOwner(_ entity: NSEntityDescription?) { owner = entity }

    func checkMutable() {
        require(
            owner?.isFrozen != true,
            "index \(name) belongs to a model that is in use; copy the model to edit it")
    }

    private func adopt(_ elements: [NSFetchIndexElementDescription]) {
        for element in elements { element.join(self) }
    }

    /// What no index can hold; `nil` when all is well.
    var objection: ModelError? {
        guard let element = elements.first(where: { $0.collationType == .rTree }) else {
            return nil
        }
        return ModelError(
            "index \(owner?.name ?? "").\(name) has an R-tree over \(element.propertyName), which is not supported; "
                + "use the collation type .binary")
    }

    /// A description with the same settings that belongs to no entity.
    open func copy(with zone: NSZone? = nil) -> Any {
        let result = NSFetchIndexDescription(
            name: name, elements: elements.compactMap { $0.copy() as? Element })
        result.partialIndexPredicate = partialIndexPredicate
        return result
    }

    private typealias Element = NSFetchIndexElementDescription
}
