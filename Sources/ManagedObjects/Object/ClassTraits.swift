// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a class of managed objects adds to its entity: found once a class, not once an object.
///
/// Never freed, as classes are not either.
final class ClassTraits: Sendable {
    let type: NSManagedObject.Type
    let overridesValidateValue: Bool
    let overridesKeyValueCoding: Bool
    let overridesDidSave: Bool
    let overridesAwakeFromFetch: Bool
    let validators: [String: PropertyValidator]
    let accessors: [String: KeyValueAccessor]

    /// Whether a save has to ask the class about single values.
    var checksValues: Bool { overridesValidateValue || !validators.isEmpty }

    private init(_ type: NSManagedObject.Type) {
        self.type = type
        overridesValidateValue = OverrideProbe.overridesValidateValue(type)
        overridesKeyValueCoding = OverrideProbe.overridesKeyValueCoding(type)
        overridesDidSave = OverrideProbe.overridesDidSave(type)
        overridesAwakeFromFetch = OverrideProbe.overridesAwakeFromFetch(type)
        // A subclass's last entry for a name wins over its superclass's.
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

extension NSManagedObject {
    /// The identity of the object's class.
    @inline(__always)
    fileprivate final var classIdentity: UInt {
        UInt(bitPattern: ObjectIdentifier(Swift.type(of: self)))
    }

    /// Whether neither the model nor the class has anything to check; one comparison, mostly.
    @inline(__always)
    final var needsNoValidation: Bool {
        if runtime.uncheckedClass.load(ordering: .relaxed) == classIdentity { return true }
        return noteUnchecked()
    }

    @inline(never)
    private final func noteUnchecked() -> Bool {
        guard !runtime.hasValidation, !runtime.traits(of: Swift.type(of: self)).checksValues else {
            return false
        }
        runtime.uncheckedClass.store(classIdentity, ordering: .relaxed)
        return true
    }

    /// Whether the class neither overrides nor registers anything for key-value coding; one
    /// comparison, mostly.
    @inline(__always)
    package final var isCodedPlainly: Bool {
        // SAFETY: the object keeps its runtime, see `runtimeReference`.
        let known = runtimeReference._withUnsafeGuaranteedRef {
            $0.plainlyCodedClass.load(ordering: .relaxed)
        }
        return known == classIdentity || notePlainlyCoded()
    }

    @inline(never)
    private final func notePlainlyCoded() -> Bool {
        let traits = runtime.traits(of: Swift.type(of: self))
        guard !traits.overridesKeyValueCoding, traits.accessors.isEmpty else { return false }
        runtime.plainlyCodedClass.store(classIdentity, ordering: .relaxed)
        return true
    }

    /// Whether the class does nothing as a fault fires; one comparison, mostly.
    @inline(__always)
    final var wakesPlainly: Bool { wakesPlainlyAsKnown || notePlainlyWaking() }

    /// Whether the class is known to do nothing as a fault fires.
    @inline(__always)
    final var wakesPlainlyAsKnown: Bool {
        // SAFETY: the object keeps its runtime, see `runtimeReference`.
        runtimeReference._withUnsafeGuaranteedRef {
            $0.plainlyWakingClass.load(ordering: .relaxed) == classIdentity
        }
    }

    @inline(never)
    private final func notePlainlyWaking() -> Bool {
        if runtime.traits(of: Swift.type(of: self)).overridesAwakeFromFetch { return false }
        runtime.plainlyWakingClass.store(classIdentity, ordering: .relaxed)
        return true
    }

    /// The registered accessor of a key; one comparison for a class without any.
    @inline(__always)
    final func accessor(forKey key: String) -> KeyValueAccessor? {
        if runtime.plainClass.load(ordering: .relaxed) == classIdentity { return nil }
        return findAccessor(forKey: key)
    }

    @inline(never)
    private final func findAccessor(forKey key: String) -> KeyValueAccessor? {
        let accessors = runtime.traits(of: Swift.type(of: self)).accessors
        if accessors.isEmpty { runtime.plainClass.store(classIdentity, ordering: .relaxed) }
        return accessors[key]
    }
}

extension EntityRuntime {
    /// The traits of an object's class; one atomic load, as an entity's objects have one class.
    @inline(__always)
    func traits(of type: NSManagedObject.Type) -> ClassTraits {
        if let known = usualTraits.load(ordering: .acquiring)?.takeUnretainedValue(),
            known.type == type
        {
            return known
        }
        return findTraits(of: type)
    }

    @inline(never)
    private func findTraits(of type: NSManagedObject.Type) -> ClassTraits {
        let traits = ClassTraits.of(type)
        // SAFETY: `ClassTraits.known` keeps all traits for ever.
        usualTraits.store(Unmanaged.passUnretained(traits), ordering: .releasing)
        return traits
    }
}
