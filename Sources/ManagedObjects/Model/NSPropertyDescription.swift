// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// A property of an entity: the common part of attributes and relationships.
///
/// Descriptions are edited by one thread until a coordinator uses their model. From then on they
/// are frozen: editing one traps, but for ``userInfo``, and reading one is safe from any thread.
// SAFETY: the program builds a description on one thread. Once its model is in use, setters trap,
// see `checkMutable`; what may be set then has a lock.
open class NSPropertyDescription: NSObject, NSCopying, @unchecked Sendable {
    /// The property's name.
    open var name: String {
        get { settings.name }
        set { edited.name = newValue }
    }
    /// Whether a save accepts an object without a value; true unless said otherwise.
    open var isOptional: Bool {
        get { settings.isOptional }
        set { edited.isOptional = newValue }
    }
    /// Whether the value lives in memory only.
    open var isTransient: Bool {
        get { settings.isTransient }
        set { edited.isTransient = newValue }
    }
    /// Values for the application's own use; empty in a new description.
    ///
    /// May be set on any thread while the model is in use, unlike everything else. To change one
    /// entry is to get and to set all of them, which are two steps.
    open var userInfo: [AnyHashable: Any]? {
        get { settings.userInfo.content }
        set { settings.userInfo.content = newValue }
    }
    /// The name under which an earlier version of the model knew the property; `name` when unset.
    open var renamingIdentifier: String? {
        get { renamedFrom ?? name }
        set { edited.renamedFrom = newValue }
    }
    // Apart from the properties, which are computed: Swift calls no observers for what a
    // convenience initialiser of an extension assigns.
    private struct Settings {
        var name = ""
        var isOptional = true
        var isTransient = false
        var userInfo = UserInfo()
        var renamedFrom: String?
    }
    private var settings = Settings()
    /// The same for setters: changing it traps once the model is in use.
    private var edited: Settings {
        get { settings }
        set {
            checkMutable()
            settings = newValue
        }
    }
    final var renamedFrom: String? { settings.renamedFrom }
    /// What was set by ``setValidationPredicates(_:withValidationWarnings:)``.
    private(set) var statedChecks: [(predicate: NSPredicate, warning: Any)] = []
    // Unowned, not weak: a weak reference would make every retain of the entity slower.
    private(set) unowned var owner: NSEntityDescription?

    /// Makes an unnamed property.
    public override init() {
        super.init()
    }

    /// The entity that declares the property; traps before the property was added to one.
    open var entity: NSEntityDescription {
        guard let owner else { trap("property \(name) belongs to no entity yet") }
        return owner
    }

    /// The predicates that a value must satisfy to be saved.
    open var validationPredicates: [NSPredicate] { statedChecks.map(\.predicate) }

    /// A message or an error code for each of ``validationPredicates``.
    open var validationWarnings: [Any] { statedChecks.map(\.warning) }

    /// Sets the predicates that a value must satisfy to be saved.
    ///
    /// `SELF` is the value; nil satisfies all of them.
    ///
    /// - Parameters:
    ///   - validationPredicates: The predicates.
    ///   - validationWarnings: For each predicate the error's message, or its code as a number. The
    ///     code is 1550 without one.
    open func setValidationPredicates(
        _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [Any]?
    ) {
        checkMutable()
        statedChecks = (validationPredicates ?? []).enumerated().map { index, predicate in
            (predicate, validationWarnings?[safe: index] ?? NSManagedObjectValidationError)
        }
    }

    /// Whether both are of the same kind and say the same, whatever entities they belong to.
    ///
    /// Other descriptions count by their names, so that two models may be compared.
    public final override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyDescription else { return false }
        return other === self || type(of: other) == type(of: self) && hasStructure(of: other)
    }

    /// The hash of the name.
    public final override var hash: Int { name.hashValue }

    /// Whether another description of the same class says the same.
    func hasStructure(of other: NSPropertyDescription) -> Bool {
        name == other.name && isOptional == other.isOptional && isTransient == other.isTransient
            && renamedFrom == other.renamedFrom
            && StructuralEquality.samePredicates(
                validationPredicates, other.validationPredicates)
            && StructuralEquality.equal(validationWarnings, other.validationWarnings)
            && StructuralEquality.equal(userInfo, other.userInfo)
    }

    func setOwner(_ entity: NSEntityDescription?) { owner = entity }

    func checkMutable() {
        require(
            owner?.isFrozen != true,
            "property \(name) belongs to a model that is in use; copy the model to edit it")
    }

    /// A description with the same settings that belongs to no entity.
    open func copy(with zone: NSZone? = nil) -> Any {
        let result = type(of: self).init(copying: self)
        return result
    }

    /// Makes an editable copy.
    required public init(copying other: NSPropertyDescription) {
        super.init()
        settings = other.settings
        settings.userInfo = UserInfo(other.userInfo)
        statedChecks = other.statedChecks
    }
}
