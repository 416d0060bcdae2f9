// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Synchronization

/// Notes the names of the managed properties that are read while a key path is applied.
///
/// A Swift key path does not know the names of its properties on Linux. So it is applied to an
/// object without a context, a *probe*. Its entity has one attribute and two relationships of no
/// meaning, which stand for all properties: each getter finds out that it has no place cached for
/// the entity, looks its name up, and is noted here. Getters of other objects do not notice.
final class KeyPathProbe: Sendable {
    /// One property that was read.
    struct Read: Equatable {
        let name: String
        let hasLimitedSetter: Bool
    }

    private struct State {
        var reads: [Read] = []
        var destination: ObjectIdentifier?
    }

    /// The probe that notes what the current thread reads.
    @TaskLocal private static var current: KeyPathProbe?

    // A getter of a program may go to other threads.
    private let state = Mutex(State())
    /// What attributes have.
    private let sample: Value

    private init(_ sample: Value) { self.sample = sample }

    /// What was read, what came out, and the destination that was read last.
    struct Outcome {
        let reads: [Read]
        let value: Any?
        let destination: ObjectIdentifier?
    }

    /// Applies a key path to an object of a class whose attributes have a value.
    static func apply(
        _ path: AnyKeyPath, to type: NSManagedObject.Type, _ sample: Value
    ) -> Outcome {
        let probe = KeyPathProbe(sample)
        let object = object(of: type, sample)
        let value = $current.withValue(probe) { (object as Any)[keyPath: path] }
        let (reads, destination) = probe.state.withLock { ($0.reads, $0.destination) }
        return Outcome(reads: reads, value: value, destination: destination)
    }

    /// Notes that an attribute or a to-one relationship was asked for; the place of the value.
    static func noteField(_ key: borrowing PropertyKey, _ runtime: EntityRuntime) -> Int {
        note(key)
        guard case .field(let position)? = runtime.references[ProbeEntities.attribute] else {
            return 0
        }
        return position
    }

    /// Notes that a to-many relationship was asked for; one that has no destinations.
    static func noteToMany(
        _ key: borrowing PropertyKey, _ runtime: EntityRuntime
    ) -> RelationshipRuntime {
        note(key)
        return runtime.toManyRelationships[0]
    }

    private static func note(_ key: borrowing PropertyKey) {
        guard let current else { return }
        let read = Read(name: key.pathName, hasLimitedSetter: key.hasLimitedSetter)
        current.state.withLock { $0.reads.append(read) }
    }

    /// A destination of a to-one relationship of a probe; nil for objects that are none.
    static func destination<Destination: ManagedReference>(
        of object: NSManagedObject, _ type: Destination.Type
    ) -> Destination? {
        guard object.runtime.isProbe else { return nil }
        let made = Self.object(of: type, current?.sample ?? .null)
        current?.state.withLock { $0.destination = ObjectIdentifier(made) }
        return made as? Destination
    }

    /// An object of a class whose attributes have a value.
    static func object(of type: NSManagedObject.Type, _ sample: Value) -> NSManagedObject {
        let entity = ProbeEntities.entity(of: type)
        let isPlain =
            ClassMetadata.instanceSize(of: type)
            == ClassMetadata.instanceSize(of: NSManagedObject.self)
        // What an initialiser of the program's own reads is not of interest. It runs only where
        // there are stored properties, whose values it sets.
        let object = $current.withValue(nil) {
            isPlain
                ? NSManagedObject(entity: entity, insertInto: nil)
                : type.init(entity: entity, insertInto: nil)
        }
        let draft = RecordDraft.makeNull(fieldCount: object.runtime.fields.count)
        if case .field(let position)? = object.runtime.references[ProbeEntities.attribute] {
            draft[position] = sample
        }
        object.draft = draft
        return object
    }
}

/// The entities of probes, one a class.
private enum ProbeEntities {
    static let attribute = "value"

    /// An entity with the model that keeps it.
    private struct Entry {
        let model: NSManagedObjectModel
        let entity: NSEntityDescription
    }

    // Guards the entities, which any thread may be the first to need.
    private static let known = Mutex<[ObjectIdentifier: UncheckedTransfer<Entry>]>([:])

    static func entity(of type: NSManagedObject.Type) -> NSEntityDescription {
        let identifier = ObjectIdentifier(type)
        if let entry = known.withLock({ $0[identifier] }) { return entry.value.entity }
        // SAFETY: frozen by compiling it, before other threads see it.
        let made = UncheckedTransfer(make(type))
        return known.withLock { known in
            if let other = known[identifier] { return other }
            known[identifier] = made
            return made
        }.value.entity
    }

    private static func make(_ type: NSManagedObject.Type) -> Entry {
        let entity = NSEntityDescription(name: "Probe", managedObjectClass: type)
        entity.isProbe = true
        // A type that no property of a program has: transformables are read by other ways.
        entity.properties = [
            NSAttributeDescription(name: attribute, type: .transformable),
            NSRelationshipDescription(name: "destination", destination: entity, maxCount: 1),
            NSRelationshipDescription(name: "members", destination: entity),
        ]
        let model = NSManagedObjectModel(entities: [entity])
        _ = entity.requireRuntime()
        return Entry(model: model, entity: entity)
    }
}
