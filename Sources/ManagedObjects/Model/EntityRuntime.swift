// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Synchronization
import Traps

/// The property that a key of an entity names.
enum PropertyReference {
    /// A position in drafts; positions below the layout's count are stored in records.
    case field(Int)
    /// A position in ``EntityRuntime/toManyRelationships``.
    case toMany(Int)
}

/// An entity in the form that objects work with: positions instead of names.
///
/// Shared by all objects of the entity. Immutable but for the class, which is found late.
// SAFETY: a lock guards the class, and what is learned late is atomic. The links are set while the
// model is compiled, before other code sees them, and cleared as it goes: code that follows them
// keeps the model.
final class EntityRuntime: @unchecked Sendable {
    let ordinal: Int
    let entity: Entity
    let description: NSEntityDescription
    /// Tells the entities of all models of the process apart; property keys cache by it.
    let identifier: UInt32
    /// The stored fields, with their places in narrow records.
    ///
    /// Records of files may be wide: ``RecordView/offset(of:in:)`` finds a field in both. Their
    /// layout numbers are the stores' business.
    let layout: RecordLayout
    /// Stored fields in layout order, then transient attributes and to-one relationships.
    let fields: [FieldRuntime]
    /// The types of the fields; apart, as setters need nothing else of a field.
    let fieldTypes: ContiguousArray<AttributeType>
    /// The to-many relationships, in model order.
    let toManyRelationships: [RelationshipRuntime]
    /// The to-one relationships, in model order.
    let toOneRelationships: [RelationshipRuntime]
    /// The to-one relationships by the positions of their fields.
    // SAFETY: `toOneRelationships` keeps them. Each setter of a relationship would count a
    // reference.
    private let toOneByField: ContiguousArray<Unmanaged<RelationshipRuntime>?>
    /// All relationships: those to one, then those to many.
    let relationships: [RelationshipRuntime]
    let references: [String: PropertyReference]
    /// The properties that are fetched when they are read, by name.
    let fetchedProperties: [String: NSFetchedPropertyDescription]
    /// The values of a new object's draft.
    let defaults: ContiguousArray<Value?>
    private let hasDefaults: Bool
    /// Whether objects only tell the names of their properties, see `KeyPathProbe`.
    let isProbe: Bool
    /// Apart from the entity, as each insertion asks.
    let isAbstract: Bool
    /// What a save checks.
    let validation: EntityValidation
    /// Whether relationships that no store has must follow new objects to their permanent keys.
    let hasTransientReferences: Bool
    /// Whether a save has anything to check.
    let hasValidation: Bool
    /// What the class of the entity's objects adds, once an object asked for it.
    // SAFETY: traits are never freed, see ClassTraits. A lazy reference is not inlined.
    let usualTraits = Atomic<Unmanaged<ClassTraits>?>(nil)
    /// The identity of a class whose objects a save has nothing to check of, 0 for none known.
    let uncheckedClass = Atomic<UInt>(0)
    /// The identity of a class without accessors of its own, 0 for none known.
    let plainClass = Atomic<UInt>(0)
    /// The identity of a class whose key-value coding is the model's alone, 0 for none known.
    let plainlyCodedClass = Atomic<UInt>(0)
    /// The identity of a class that leaves `awakeFromFetch` as it is, 0 for none known.
    let plainlyWakingClass = Atomic<UInt>(0)
    /// The identities of a class whose unsaved objects are indexed and of one whose are not.
    let indexedClass = Atomic<UInt>(0)
    let unindexedClass = Atomic<UInt>(0)
    /// The identity of the class whose objects keep it when they are made, 0 for none known.
    let settledClass = Atomic<UInt>(0)
    private let refersToObjects: Bool
    // Unowned, as it keeps the runtime: code that keeps a runtime beyond a context's life and
    // follows its relationships has to keep the model. Cleared, as the relatives are, when the
    // model goes.
    private(set) unowned(unsafe) var model: CompiledModel?
    private(set) var superRuntime: EntityRuntime?
    private(set) var subRuntimes: [EntityRuntime] = []
    /// The bits of the class of the objects, which any context may be the first to find; 0 before.
    private let classBits: Atomic<UInt>
    /// The generation of places in which the class was not found, -1 before the first look.
    private let failedLookup = Atomic<Int>(-1)

    private static let identifiers = Atomic<UInt32>(1)

    init(ordinal: Int, entity: Entity, _ schema: Schema, description: NSEntityDescription) {
        self.ordinal = ordinal
        self.entity = entity
        isAbstract = entity.isAbstract
        isProbe = description.isProbe
        self.description = description
        classBits = Atomic(description.knownClass.map { EntityRuntime.bits(of: $0) } ?? 0)
        identifier = EntityRuntime.identifiers.add(1, ordering: .relaxed).newValue
        let stored = entity.storedFields
        layout = RecordLayout(
            number: RecordLayout.firstNarrowNumber,
            fields: stored.map {
                (PropertyNumber(rawValue: 0), $0.type, allowsExternalStorage: false)
            })
        fields = EntityRuntime.makeFields(entity, stored: stored)
        var references: [String: PropertyReference] = [:]
        for (position, field) in fields.enumerated() { references[field.name] = .field(position) }
        var toMany: [RelationshipRuntime] = []
        var toOne: [RelationshipRuntime] = []
        for (position, relationship) in entity.relationships.enumerated() {
            let index = relationship.isToMany ? toMany.count : -1
            let field = fields.firstIndex { $0.name == relationship.name } ?? -1
            let runtime = RelationshipRuntime(
                relationship, entityName: entity.name, ordinal: ordinal, position: position,
                toManyIndex: index, field: field)
            if relationship.isToMany {
                references[relationship.name] = .toMany(index)
                toMany.append(runtime)
            } else {
                toOne.append(runtime)
            }
        }
        toManyRelationships = toMany
        toOneRelationships = toOne
        // SAFETY: see `toOneByField`.
        toOneByField = ContiguousArray(
            fields.indices.map { position in
                toOne.first { $0.field == position }.map { Unmanaged.passUnretained($0) }
            })
        relationships = toOne + toMany
        self.references = references
        fetchedProperties = Dictionary(
            description.properties.compactMap { $0 as? NSFetchedPropertyDescription }
                .map { ($0.name, $0) }, uniquingKeysWith: { _, own in own })
        defaults = ContiguousArray(fields.map(\.defaultValue))
        hasDefaults = fields.contains { $0.defaultValue?.isNull != true }
        fieldTypes = ContiguousArray(fields.map(\.type))
        validation = EntityValidation(entity, references, toMany, description)
        hasValidation = !validation.isEmpty
        refersToObjects =
            !toMany.isEmpty || !toOne.isEmpty || stored.contains { $0.type == .objectID }
        hasTransientReferences = entity.relationships.contains(where: \.isTransient)
    }

    private static func makeFields(_ entity: Entity, stored: [StoredField]) -> [FieldRuntime] {
        var fields: [FieldRuntime] = []
        for field in stored {
            fields.append(
                FieldRuntime(
                    name: field.name, type: field.type, attribute: entity.attribute(field.name),
                    isStored: true))
        }
        for attribute in entity.attributes where attribute.isTransient {
            fields.append(
                FieldRuntime(
                    name: attribute.name, type: attribute.type, attribute: attribute,
                    isStored: false))
        }
        for relationship in entity.relationships
        where relationship.isTransient && !relationship.isToMany {
            fields.append(
                FieldRuntime(
                    name: relationship.name, type: .objectID, attribute: nil, isStored: false))
        }
        return fields
    }

    /// Finds the entity above, and becomes known to it, once all runtimes exist.
    func linkFamily(of model: CompiledModel) {
        self.model = model
        superRuntime = entity.superentity.flatMap { model.runtime(named: $0) }
        superRuntime?.subRuntimes.append(self)
    }

    /// Releases the relatives, which keep each other, and everything else that ends with the model.
    ///
    /// An object ID may keep the runtime; its links are followed only while the model is kept.
    func unlink() {
        model = nil
        superRuntime = nil
        subRuntimes = []
        for relationship in relationships { relationship.unlink() }
    }

    /// Connects relationships to their destinations, once all runtimes know their families.
    func linkRelationships(of model: CompiledModel) {
        for relationship in relationships { relationship.link(in: model) }
    }

    /// Whether this entity is another one or inherits from it.
    func isKind(of other: EntityRuntime) -> Bool {
        var current: EntityRuntime? = self
        while let step = current {
            if step === other { return true }
            current = step.superRuntime
        }
        return false
    }

    /// The entity and all that inherit from it.
    var family: [EntityRuntime] { [self] + subRuntimes.flatMap(\.family) }
}

extension EntityRuntime {
    /// The class of the entity's objects; `NSManagedObject` while the named one is not found.
    var objectClass: NSManagedObject.Type {
        if let known = foundClass { return known }
        // A name that was not found is looked up again only once further classes are known.
        let generation = ClassLookup.generation
        guard failedLookup.load(ordering: .relaxed) != generation else {
            return NSManagedObject.self
        }
        guard let found = ClassLookup.find(entity.className ?? "").type else {
            failedLookup.store(generation, ordering: .relaxed)
            return NSManagedObject.self
        }
        adopt(found)
        return found
    }

    /// Whether objects of a class may have this entity: the entity names it.
    func accepts(_ type: NSManagedObject.Type) -> Bool {
        if let known = foundClass { return known == type }
        guard let name = entity.className else { return false }
        return ClassLookup.matches(type, name.hasPrefix(".") ? String(name.dropFirst()) : name)
    }

    /// Finds the class that the entity names, so that all its objects are of that class.
    ///
    /// If there is no class of the name, a line on standard error says so, and the objects are
    /// plain ones.
    ///
    /// - Throws: An error that names the classes, if several have the name.
    func resolveClass() throws(ModelError) {
        guard ClassLookup.isSpecific(entity.className), let name = entity.className,
            description.knownClass == nil, !description.isClassOptional
        else { return }
        let advice =
            "; set managedObjectClassName to NSStringFromClass of the class, or make the entity "
            + "with NSEntityDescription(name:managedObjectClass:properties:)"
        switch ClassLookup.find(name) {
        case .found(let type): adopt(type)
        case .several(let types):
            let names = types.map { ClassLookup.qualifiedName(of: $0) }.sorted()
            throw ModelError(
                "entity \(entity.name) names the class \(name), which may be "
                    + names.joined(separator: " or ") + advice)
        case .missing:
            // As with Core Data the objects are plain ones; the message says why.
            let text =
                "lode: entity \(entity.name) names the class \(name), but the program has no "
                + "subclass of NSManagedObject of that name, so its objects are plain ones"
                + advice + "\n"
            FileHandle.standardError.write(Data(text.utf8))
        }
    }

    /// Learns the class behind a name.
    func adopt(_ type: NSManagedObject.Type) {
        let isNew = classBits.compareExchange(
            expected: 0, desired: EntityRuntime.bits(of: type),
            ordering: .acquiringAndReleasing
        ).exchanged
        if isNew { settledClass.store(0, ordering: .relaxed) }
    }

    /// The class, once it was found; it stays the same from then on.
    @inline(__always)
    private var foundClass: NSManagedObject.Type? {
        let bits = classBits.load(ordering: .acquiring)
        // SAFETY: the bits are 0 or those of a class, see `bits(of:)`; classes are never unloaded.
        return unsafeBitCast(bits, to: NSManagedObject.Type?.self)
    }

    private static func bits(of type: NSManagedObject.Type) -> UInt {
        UInt(bitPattern: ObjectIdentifier(type))
    }

    /// Learns the class from typed code, where it names the entity's class.
    func suggest(_ type: NSManagedObject.Type) {
        for runtime in family where runtime.accepts(type) { runtime.adopt(type) }
    }
}

extension EntityRuntime {
    /// The to-one relationship of a field; nil for an attribute.
    func toOne(at position: Int) -> RelationshipRuntime? {
        // SAFETY: as for the reference.
        toOneReference(at: position)?.takeUnretainedValue()
    }

    /// The same without a count of references.
    // SAFETY: valid as long as the runtime, see `toOneByField`.
    @inline(__always)
    func toOneReference(at position: Int) -> Unmanaged<RelationshipRuntime>? {
        toOneByField[position]
    }

    /// The own form of a relationship that an ancestor or descendant has.
    func relationship(like other: RelationshipRuntime) -> RelationshipRuntime? {
        let name = other.relationship.name
        return relationship(named: name)
    }

    /// The relationship of a name.
    func relationship(named name: String) -> RelationshipRuntime? {
        switch references[name] {
        case .toMany(let index): toManyRelationships[index]
        case .field: toOneRelationships.first { $0.relationship.name == name }
        case nil: nil
        }
    }
}

extension NSEntityDescription {
    /// The runtime; compiles the model if need be.
    func requireRuntime() -> EntityRuntime {
        if let runtime { return runtime }
        do {
            _ = try managedObjectModel.compile()
        } catch {
            trap("the model cannot be used: \(error)")
        }
        guard let runtime else {
            trap("entity \(name ?? "") is not part of its model's entities")
        }
        return runtime
    }
}

extension EntityRuntime {
    /// The names of all properties, in the order of the model.
    var propertyNames: [String] {
        entity.attributes.map(\.name) + entity.relationships.map(\.name)
    }

    /// Whether a record or a link of the entity refers to other objects.
    var hasRelationships: Bool { refersToObjects }

    /// A new object's draft.
    func makeDraft() -> RecordDraft {
        hasDefaults ? .make(values: defaults) : .makeNull(fieldCount: fields.count)
    }
}
