// SPDX-License-Identifier: Apache-2.0

/// Tells whether a class overrides methods of `NSManagedObject` that nearly no class overrides.
///
/// A save would call ``NSManagedObject/validateValue(_:forKey:)`` for every property and copy the
/// values of every deleted object, an import would call the setter by key, which boxes every
/// value, and each fault that fires would be looked at again after its hook. Swift cannot be asked,
/// but the method tables of classes can be compared, see ``MethodTable``. If their layout is
/// unknown, every subclass counts as overriding, which is slower and still right.
enum OverrideProbe {
    private final class Validating: NSManagedObject {
        override func validateValue(_ value: inout Any?, forKey key: String) throws { value = nil }
    }

    private final class Coding: NSManagedObject {
        override func value(forKey key: String) -> Any? { key }
        override func setValue(_ value: Any?, forKey key: String) {
            setPrimitiveValue(key, forKey: key)
        }
    }

    private final class Saving: NSManagedObject {
        override func didSave() { setPrimitiveValue(nil, forKey: "didSave") }
    }

    private final class Waking: NSManagedObject {
        override func awakeFromFetch() { setPrimitiveValue(nil, forKey: "awakeFromFetch") }
    }

    private final class Plain: NSManagedObject {}

    /// Whether a class overrides ``NSManagedObject/validateValue(_:forKey:)``.
    static func overridesValidateValue(_ type: NSManagedObject.Type) -> Bool {
        overrides(type, validation)
    }

    /// Whether a class overrides ``NSManagedObject/value(forKey:)`` or
    /// ``NSManagedObject/setValue(_:forKey:)``.
    static func overridesKeyValueCoding(_ type: NSManagedObject.Type) -> Bool {
        overrides(type, coding)
    }

    /// Whether a class overrides ``NSManagedObject/didSave()``.
    static func overridesDidSave(_ type: NSManagedObject.Type) -> Bool {
        overrides(type, saving)
    }

    /// Whether a class overrides ``NSManagedObject/awakeFromFetch()``.
    static func overridesAwakeFromFetch(_ type: NSManagedObject.Type) -> Bool {
        overrides(type, waking)
    }

    private static let validation = places(of: Validating.self, count: 1)
    private static let coding = places(of: Coding.self, count: 2)
    private static let saving = places(of: Saving.self, count: 1)
    private static let waking = places(of: Waking.self, count: 1)

    private static func overrides(_ type: NSManagedObject.Type, _ places: [Int]?) -> Bool {
        if type == NSManagedObject.self { return false }
        guard let places else { return true }
        let own = MethodTable.methods(of: type, asFarAs: NSManagedObject.self)
        let base = MethodTable.methods(of: NSManagedObject.self, asFarAs: NSManagedObject.self)
        return places.contains { own[$0] != base[$0] }
    }

    private static func places(of probe: NSManagedObject.Type, count: Int) -> [Int]? {
        MethodTable.places(of: probe, unlike: Plain.self, base: NSManagedObject.self, count: count)
    }
}
