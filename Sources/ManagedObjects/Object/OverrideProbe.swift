// SPDX-License-Identifier: Apache-2.0

/// Tells whether a class overrides ``NSManagedObject/validateValue(_:forKey:)``.
///
/// A save calls the method for every property, which boxes every value; nearly no class overrides
/// it. Swift cannot be asked, but the method tables of classes can be compared: the slot of the
/// method is the one in which a probe that overrides it differs from `NSManagedObject` and a
/// probe that overrides nothing does not. Where that finds no single slot, every subclass counts
/// as overriding, which is slower and still right.
enum OverrideProbe {
    private final class Overriding: NSManagedObject {
        override func validateValue(_ value: inout Any?, forKey key: String) throws { value = nil }
    }

    private final class Plain: NSManagedObject {}

    static func overridesValidateValue(_ type: NSManagedObject.Type) -> Bool {
        if type == NSManagedObject.self { return false }
        guard let slot else { return true }
        return methods(of: type)[slot] != methods(of: NSManagedObject.self)[slot]
    }

    private static let slot: Int? = {
        let base = methods(of: NSManagedObject.self)
        let (overriding, plain) = (methods(of: Overriding.self), methods(of: Plain.self))
        let found = base.indices.filter { overriding[$0] != base[$0] && plain[$0] == base[$0] }
        return found.count == 1 ? found[0] : nil
    }()

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
