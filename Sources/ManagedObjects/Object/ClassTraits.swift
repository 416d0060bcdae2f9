// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a class of managed objects adds to its entity: found once a class, not once an object.
final class ClassTraits: Sendable {
    let type: NSManagedObject.Type
    let overridesValidateValue: Bool
    let validators: [String: PropertyValidator]
    let accessors: [String: KeyValueAccessor]

    /// Whether a save has to ask the class about single values.
    var checksValues: Bool { overridesValidateValue || !validators.isEmpty }

    private init(_ type: NSManagedObject.Type) {
        self.type = type
        overridesValidateValue = OverrideProbe.overridesValidateValue(type)
        // What a subclass names last wins over what its superclass names.
        validators = Dictionary(type.propertyValidators.map { ($0.key, $0) }) { _, own in own }
        accessors = Dictionary(type.keyValueAccessors.map { ($0.key, $0) }) { _, own in own }
    }

    // Guards the classes seen so far: contexts of any queue ask.
    private static let known = Mutex<[ObjectIdentifier: ClassTraits]>([:])

    static func of(_ type: NSManagedObject.Type) -> ClassTraits {
        if let traits = known.withLock({ $0[ObjectIdentifier(type)] }) { return traits }
        // Outside of the lock: the class's overrides run.
        let made = ClassTraits(type)
        return known.withLock { known in
            if let other = known[ObjectIdentifier(type)] { return other }
            known[ObjectIdentifier(type)] = made
            return made
        }
    }
}

extension EntityRuntime {
    /// The traits of an object's class; one atomic load, as an entity's objects have one class.
    func traits(of type: NSManagedObject.Type) -> ClassTraits {
        if let known = usualTraits.load(), known.type == type { return known }
        let traits = ClassTraits.of(type)
        _ = usualTraits.storeIfNil(traits)
        return traits
    }
}
