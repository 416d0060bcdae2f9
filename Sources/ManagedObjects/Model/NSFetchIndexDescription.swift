// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// A fetch index over attributes and to-one relationships of an entity.
///
/// ```swift
/// player.indexes = [NSFetchIndexDescription(name: "byScore", properties: [score])]
/// ```
// SAFETY: the program builds a description on one thread. Once its model is in use, setters trap,
// see `checkMutable`.
open class NSFetchIndexDescription: NSObject, NSCopying, @unchecked Sendable {
    /// The index's name.
    ///
    /// A subentity's index over something else than that of the same name of an ancestor is called
    /// *entity.name* in plan texts.
    open var name: String {
        get { settings.name }
        set { edited.name = newValue }
    }
    /// The indexed properties, most significant first.
    open var elements: [NSFetchIndexElementDescription] {
        get { settings.elements }
        set {
            checkMutable()
            for element in settings.elements { element.leave(self) }
            settings.elements = newValue
            adopt(newValue)
        }
    }
    /// Which objects have entries in the index; nil for all.
    ///
    /// Fetches use such an index where their predicate asks for no other objects. Accepted are
    /// comparisons of the entity's own stored attributes with constants, as an index orders them,
    /// joined by "and", "or" and "not"; a model with another predicate cannot be used.
    open var partialIndexPredicate: NSPredicate? {
        get { settings.partialIndexPredicate }
        set { edited.partialIndexPredicate = newValue }
    }
    // Apart from the properties, which are computed: Swift calls no observers for what a
    // convenience initialiser of an extension assigns.
    private struct Settings {
        var name: String
        var elements: [NSFetchIndexElementDescription]
        var partialIndexPredicate: NSPredicate?
    }
    private var settings: Settings
    /// The same for setters: changing it traps once the model is in use.
    private var edited: Settings {
        get { settings }
        set {
            checkMutable()
            settings = newValue
        }
    }
    // Unowned, not weak: a weak reference would make every retain of the entity slower.
    private unowned var owner: NSEntityDescription?

    /// Makes an index.
    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        settings = Settings(name: name, elements: elements ?? [])
        super.init()
        adopt(settings.elements)
    }

    deinit {
        for element in settings.elements { element.leave(self) }
    }

    /// The entity that has the index; `nil` before it was added to one.
    open var entity: NSEntityDescription? { owner }

    /// Whether both have the same name, predicate and elements.
    public final override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexDescription else { return false }
        return other === self
            || name == other.name && elements == other.elements
                && StructuralEquality.samePredicate(
                    partialIndexPredicate, other.partialIndexPredicate)
    }

    /// The hash of the name.
    public final override var hash: Int { name.hashValue }

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
            "index \(owner?.name ?? "").\(name) has an R-tree over \(element.propertyName), which "
                + "is not supported; use the collation type .binary")
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
