// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Synchronization
import Traps

/// The description of one type of managed object.
///
/// ```swift
/// let team = NSEntityDescription(name: "Team", managedObjectClass: Team.self)
/// team.properties = [NSAttributeDescription(name: "name", type: .string, isOptional: false)]
/// team.uniquenessConstraints = [["name"]]
/// ```
///
/// Edited by one thread until a coordinator uses the model; frozen from then on, but for
/// ``userInfo``.
// SAFETY: the program builds a description on one thread. Once its model is in use, setters trap,
// see `checkMutable`; what may be set then has a lock.
open class NSEntityDescription: NSObject, @unchecked Sendable {
    /// The entity's name.
    open var name: String? {
        get { settings.name }
        set { edited.name = newValue }
    }
    /// The name of the class of the entity's objects, with or without its module.
    ///
    /// The class is looked for in the program and its libraries when the model is first used. If
    /// there is none of the name, a line on standard error says so, and the objects are plain ones;
    /// several of the name are an error. `NSManagedObject`, an empty name and nil stand for
    /// `NSManagedObject`. A generic class has to be given as a class, see
    /// ``init(name:managedObjectClass:properties:)``, or to be used in typed code before.
    open var managedObjectClassName: String! {
        get { settings.className }
        set {
            edited.className = newValue
            knownClass = nil
            isClassOptional = false
        }
    }
    /// The class of the name, if it was set as a class.
    final private(set) var knownClass: NSManagedObject.Type?
    /// Whether objects are plain ones where the program has no class of the name.
    final var isClassOptional = false
    /// Whether objects only tell the names of their properties, see `KeyPathProbe`.
    final var isProbe = false
    /// Whether no object has exactly this entity.
    open var isAbstract: Bool {
        get { settings.isAbstract }
        set { edited.isAbstract = newValue }
    }
    /// Values for the application's own use; empty in a new description.
    ///
    /// May be set on any thread while the model is in use, unlike everything else. To change one
    /// entry is to get and to set all of them, which are two steps.
    open var userInfo: [AnyHashable: Any]? {
        get { settings.userInfo.content }
        set { settings.userInfo.content = newValue }
    }
    /// The entities that inherit from this one; setting it sets their superentity.
    open var subentities: [NSEntityDescription] {
        get { settings.subentities }
        set {
            checkMutable()
            for entity in settings.subentities { entity.parent = nil }
            settings.subentities = newValue
            for entity in newValue { entity.parent = self }
        }
    }
    /// The fetch indexes.
    open var indexes: [NSFetchIndexDescription] {
        get { settings.indexes }
        set {
            checkMutable()
            for index in settings.indexes { index.setOwner(nil) }
            settings.indexes = newValue
            for index in newValue { index.setOwner(self) }
        }
    }
    /// Sets of properties whose values no two objects of the entity and its subentities may share.
    ///
    /// Takes names or descriptions of stored attributes and to-one relationships, and gives names.
    /// An object with nil in one of them never collides. Stating a constraint of an ancestor once
    /// more changes nothing, nor does one without properties. Constraints count in the version
    /// hash: a file opens only with a model that has the same ones.
    open var uniquenessConstraints: [[Any]] {
        get {
            settings.constraints.map { $0.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" } }
        }
        set { edited.constraints = newValue }
    }
    // Apart from the properties, which are computed: Swift calls no observers for what a
    // convenience initialiser of an extension assigns.
    private struct Settings {
        var name: String?
        var className: String? = "NSManagedObject"
        var isAbstract = false
        var userInfo = UserInfo()
        var subentities: [NSEntityDescription] = []
        var indexes: [NSFetchIndexDescription] = []
        var constraints: [[Any]] = []
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
    var declaredProperties: [NSPropertyDescription] = []
    // Unowned, not weak: a weak reference would make every retain of the entity slower.
    private(set) unowned var parent: NSEntityDescription?
    final unowned var model: NSManagedObjectModel?
    final private(set) var isFrozen = false
    // SAFETY: set while the model is compiled, under its lock, and cleared as the model goes. The
    // program keeps the model while it uses the entity.
    @exclusivity(unchecked) final private(set) var runtime: EntityRuntime?
    /// The runtime without a count of its references.
    // SAFETY: valid for as long as the entity keeps its runtime.
    final var runtimeReference: Unmanaged<EntityRuntime>? {
        @inline(__always) get { runtime.map { Unmanaged.passUnretained($0) } }
    }
    /// The properties of an entity in use, once asked for: programs ask for each object.
    // A lock, as any thread may ask.
    private final let frozenProperties = Mutex<NamedProperties?>(nil)
    /// The relationships whose destination is this entity.
    final var referrers = ReferringRelationships()

    /// Makes an unnamed entity.
    public override init() {
        super.init()
    }

    deinit { referrers.forEach { $0.loseTarget() } }

    /// The entity that this one inherits from.
    open var superentity: NSEntityDescription? { parent }

    /// The properties, inherited ones first; setting it replaces the entity's own.
    open var properties: [NSPropertyDescription] {
        get { (parent?.properties ?? []) + declaredProperties }
        set {
            checkMutable()
            let inherited = parent?.properties ?? []
            for property in declaredProperties { property.setOwner(nil) }
            declaredProperties = newValue.filter { property in
                !inherited.contains { $0 === property }
            }
            for property in declaredProperties { property.setOwner(self) }
        }
    }

    /// All properties by name.
    ///
    /// - Complexity: O(1) once the model is in use, else O(properties), as for the two below.
    open var propertiesByName: [String: NSPropertyDescription] { namedProperties.all }

    /// All attributes by name.
    open var attributesByName: [String: NSAttributeDescription] { namedProperties.attributes }

    /// All relationships by name.
    open var relationshipsByName: [String: NSRelationshipDescription] {
        namedProperties.relationships
    }

    private final var namedProperties: NamedProperties {
        guard isFrozen else { return NamedProperties(properties) }
        if let known = frozenProperties.withLock({ $0 }) { return known }
        // Not under the lock: a subclass may have properties of its own making.
        let made = NamedProperties(properties)
        frozenProperties.withLock { $0 = made }
        return made
    }

    /// The entities that inherit from this one, by name.
    open var subentitiesByName: [String: NSEntityDescription] {
        Dictionary(subentities.map { ($0.name ?? "", $0) }) { first, _ in first }
    }

    /// The name under which an earlier version of the model knew the entity; `name` when unset.
    open var renamingIdentifier: String? {
        get { settings.renamedFrom ?? name }
        set { edited.renamedFrom = newValue }
    }

    /// The model that the entity belongs to; traps before it was added to one.
    open var managedObjectModel: NSManagedObjectModel {
        guard let model else { trap("entity \(name ?? "without a name") belongs to no model yet") }
        return model
    }

    /// Whether this is another entity or inherits from it.
    open func isKindOf(entity: NSEntityDescription) -> Bool {
        var current: NSEntityDescription? = self
        while let step = current {
            if step === entity || (step.name == entity.name && step.model == nil) { return true }
            if step.name == entity.name, step.model?.isCompatible(entity.model) == true {
                return true
            }
            current = step.parent
        }
        return false
    }

    /// The relationships that lead to an entity.
    open func relationships(
        forDestination entity: NSEntityDescription
    ) -> [NSRelationshipDescription] {
        properties.compactMap { $0 as? NSRelationshipDescription }
            .filter { $0.destinationEntity === entity }
    }

    /// Whether both describe the same entity: name, class, relatives and properties are equal.
    ///
    /// Entities that it refers to count by their names, so that entities of two models may be
    /// compared.
    public final override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityDescription else { return false }
        return other === self || hasStructure(of: other)
    }

    /// The hash of the name.
    public final override var hash: Int { name.hashValue }

    func checkMutable() {
        require(
            !isFrozen, "entity \(name ?? "") belongs to a model in use; copy the model to edit it")
    }

    /// Sets class and class name.
    func setClass(_ type: NSManagedObject.Type) {
        guard type != NSManagedObject.self else {
            return managedObjectClassName = "NSManagedObject"
        }
        managedObjectClassName = ClassLookup.qualifiedName(of: type)
        knownClass = type
    }

    func freeze(_ runtime: EntityRuntime) {
        isFrozen = true
        self.runtime = runtime
        referrers.forEach { $0.isNoLongerNoted() }
        referrers = ReferringRelationships()
        for case let relationship as NSRelationshipDescription in declaredProperties {
            relationship.stopNoting()
        }
    }

    /// Breaks the cycles with the runtime and with requests for the entity, once the model goes.
    func releaseRuntime() {
        runtime = nil
        for case let fetched as NSFetchedPropertyDescription in declaredProperties {
            fetched.releaseRequest()
        }
    }
}

extension NSEntityDescription {
    /// Refuses more inheritance than a schema may have before all of its properties are listed.
    func checkDepth() throws(ModelError) {
        var depth = 0
        var current: NSEntityDescription? = self
        while let step = current {
            depth += 1
            guard depth <= Schema.deepestInheritance else {
                throw ModelError(
                    "entity \(name ?? "") has more than \(Schema.deepestInheritance - 1) entities "
                        + "above it; let fewer inherit from each other")
            }
            current = step.parent
        }
    }

    /// The compiled form.
    func compiled() throws(ModelError) -> Entity {
        guard let name, !name.isEmpty else { throw ModelError("an entity has no name") }
        var entity = Entity(
            name: name, isAbstract: isAbstract, superentity: parent?.name,
            renamingIdentifier: settings.renamedFrom, className: managedObjectClassName)
        for property in properties {
            switch property {
            case let attribute as NSAttributeDescription:
                entity.attributes.append(try attribute.compiled())
            case let relationship as NSRelationshipDescription:
                entity.relationships.append(try relationship.compiled())
            case let fetched as NSFetchedPropertyDescription: try fetched.check()
            default:
                throw ModelError("property \(name).\(property.name) is of no supported kind")
            }
        }
        if let objection = indexes.lazy.compactMap(\.objection).first { throw objection }
        entity.indexes = try compiledIndexes(in: nil)
        return entity
    }

    /// The indexes, the inherited ones too.
    ///
    /// - Parameter schema: The entities by whose attributes conditions are read; nil to leave
    ///   conditions out.
    func compiledIndexes(in schema: Schema?) throws(ModelError) -> [Index] {
        let inherited = try parent?.compiledIndexes(in: schema) ?? []
        var result = inherited
        for description in indexes {
            var index = Index(
                name: description.name, properties: description.elements.map(\.propertyName),
                descending: description.elements.map { !$0.isAscending },
                condition: try schema.flatMap { schema throws(ModelError) in
                    try description.condition(in: schema)
                })
            // One that an ancestor has, too, serves both; another one of its name keeps its own.
            if inherited.contains(index) { continue }
            if inherited.contains(where: { $0.name == index.name }) {
                index.name = "\(name ?? "").\(index.name)"
            }
            result.append(index)
        }
        for constraint in uniquenessConstraints where !constraint.isEmpty {
            let names = constraint.map { "\($0)" }
            // One that an ancestor states, too, holds for all of that one's subentities.
            guard !result.contains(where: { $0.isUnique && $0.properties == names }) else {
                continue
            }
            result.append(
                Index(
                    name: "unique(\(names.joined(separator: ",")))", properties: names,
                    isUnique: true))
        }
        return result
    }
}
