// SPDX-License-Identifier: Apache-2.0

/// Tells whether a class overrides methods of `NSManagedObject` that nearly no class overrides.
///
/// A save would call ``NSManagedObject/validateValue(_:forKey:)`` for every property and copy the
/// values of every deleted object, and an import would call the setter by key, which boxes every
/// value. Swift cannot be asked, but the method tables of
/// classes can be compared: the slots of the methods are those in which a probe that overrides them
/// differs from `NSManagedObject` and a probe that overrides nothing does not. If there is not one
/// slot for each method, every subclass counts as overriding, which is slower and still right.
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

    private static let validation = slots(of: Validating.self, count: 1)
    private static let coding = slots(of: Coding.self, count: 2)
    private static let saving = slots(of: Saving.self, count: 1)

    private static func overrides(_ type: NSManagedObject.Type, _ slots: [Int]?) -> Bool {
        if type == NSManagedObject.self { return false }
        guard let slots else { return true }
        let (own, base) = (methods(of: type), methods(of: NSManagedObject.self))
        return slots.contains { own[$0] != base[$0] }
    }

    /// The slots of the methods that a probe overrides; `nil` if there are more or fewer.
    private static func slots(of probe: NSManagedObject.Type, count: Int) -> [Int]? {
        let base = methods(of: NSManagedObject.self)
        let (overriding, plain) = (methods(of: probe), methods(of: Plain.self))
        let found = base.indices.filter { overriding[$0] != base[$0] && plain[$0] == base[$0] }
        return found.count == count ? found : nil
    }

    #if canImport(ObjectiveC)
        private static func methods(of type: NSManagedObject.Type) -> [UInt] { [] }
    #else
        /// The words behind the header of a class's metadata, as far as `NSManagedObject` has any.
        private static func methods(of type: NSManagedObject.Type) -> [UInt] {
            // SAFETY: class metadata is laid out by Swift's ABI: kind, superclass, flags and sizes,
            // then descriptor, destroyer and methods, those of the superclass first. So the words
            // of NSManagedObject are there in each class below it.
            let base = unsafeBitCast(NSManagedObject.self as AnyClass, to: UnsafeRawPointer.self)
            let size = base.load(fromByteOffset: 32, as: UInt32.self)
            let addressPoint = base.load(fromByteOffset: 36, as: UInt32.self)
            let metadata = unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
            return stride(from: 56, to: Int(size) - Int(addressPoint), by: 8).map {
                metadata.load(fromByteOffset: $0, as: UInt.self)
            }
        }
    #endif
}
