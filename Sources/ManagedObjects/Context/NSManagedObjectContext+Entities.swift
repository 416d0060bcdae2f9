// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Traps

extension NSManagedObjectContext {
    /// The compiled model; traps without a coordinator.
    final var model: CompiledModel {
        guard let model = askCoordinator({ $0.compiledModel }) else {
            trap("the context has no persistentStoreCoordinator; set it first")
        }
        return model
    }

    /// The runtime of an ordinal, not retained; `nil` for an ordinal that the model has not.
    // SAFETY: as for `runtimeReference(for:)`.
    @inline(__always)
    final func runtimeReference(ordinal: Int) -> Unmanaged<EntityRuntime>? {
        if let known = making.knownRuntime,
            known._withUnsafeGuaranteedRef({ $0.ordinal == ordinal })
        {
            return known
        }
        if ordinal < making.knownRuntimes.count, let known = making.knownRuntimes[ordinal] {
            return known
        }
        return model.runtimes[safe: ordinal].map { Unmanaged.passUnretained($0) }
    }

    /// The runtime of an entity, also of an equal one of another copy of the model.
    final func runtime(for entity: NSEntityDescription) -> EntityRuntime {
        runtimeReference(for: entity).takeUnretainedValue()
    }

    /// The runtime of an entity, not retained.
    // SAFETY: the context or its ancestor keeps the coordinator, whose model keeps the runtimes.
    @inline(__always)
    final func runtimeReference(for entity: NSEntityDescription) -> Unmanaged<EntityRuntime> {
        if let known = making.knownRuntime,
            known._withUnsafeGuaranteedRef({ $0.description === entity })
        {
            return known
        }
        let found = otherRuntime(for: entity)
        making.knownRuntime = found
        return found
    }

    /// The runtime of another entity than the last one: programs make objects of several in turn.
    private final func otherRuntime(for entity: NSEntityDescription) -> Unmanaged<EntityRuntime> {
        // SAFETY: the entity keeps its runtime, and the context's model those that it knows.
        if let own = entity.runtimeReference {
            let ordinal = own._withUnsafeGuaranteedRef { $0.ordinal }
            if ordinal < making.knownRuntimes.count,
                let known = making.knownRuntimes[ordinal], known.toOpaque() == own.toOpaque()
            {
                return known
            }
        }
        let runtime = findRuntime(for: entity)
        while making.knownRuntimes.count <= runtime.ordinal { making.knownRuntimes.append(nil) }
        making.knownRuntimes[runtime.ordinal] = Unmanaged.passUnretained(runtime)
        return Unmanaged.passUnretained(runtime)
    }

    @inline(never)
    private final func findRuntime(for entity: NSEntityDescription) -> EntityRuntime {
        let model = self.model
        if let runtime = entity.runtime, model.runtimes[safe: runtime.ordinal] === runtime {
            return runtime
        }
        guard let found = entity.name.flatMap({ model.runtime(named: $0) }) else {
            trap(
                "entity \(entity.name ?? "without a name") is not part of the model of the "
                    + "context's coordinator")
        }
        return found
    }

    /// The entity that a class belongs to.
    final func entity(for type: NSManagedObject.Type) -> NSEntityDescription {
        for (known, entity) in making.entitiesByClass where known == type { return entity }
        ClassLookup.note(type)
        guard let runtime = model.runtime(for: type) else {
            trap(
                "no entity names the class \(type); set managedObjectClassName to "
                    + "NSStringFromClass(\(type).self)")
        }
        EntityClasses.note(type, runtime.description)
        making.entitiesByClass.append((type, runtime.description))
        return runtime.description
    }
}

extension Array {
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension NSEntityDescription {
    /// The entity of a name in the model of a context's coordinator.
    public class func entity(
        forEntityName entityName: String, in context: NSManagedObjectContext
    ) -> NSEntityDescription? {
        context.model.runtime(named: entityName)?.description
    }

    /// Makes an object of a named entity in a context; traps for an unknown name.
    @discardableResult
    public class func insertNewObject(
        forEntityName entityName: String, into context: NSManagedObjectContext
    ) -> NSManagedObject {
        guard let runtime = context.model.runtime(named: entityName) else {
            trap("the model has no entity named \(entityName)")
        }
        return runtime.objectClass.init(entity: runtime.description, insertInto: context)
    }
}
