// SPDX-License-Identifier: Apache-2.0

/// What Swift's ABI defines for classes and objects, but the language does not expose.
enum ClassMetadata {
    /// The bytes of an object of a class.
    static func instanceSize(of type: NSManagedObject.Type) -> UInt32 {
        #if canImport(ObjectiveC)
            let offset = 48
        #else
            // Kind, superclass, flags and the address point are before it.
            let offset = 24
        #endif
        // SAFETY: a class is a pointer to its metadata, where Swift's ABI has the size at this
        // offset. EntityClassTests would fail with another layout.
        return unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
            .load(fromByteOffset: offset, as: UInt32.self)
    }

    /// Changes the class of an object to one below it that adds no stored properties.
    @inline(never)
    static func change(_ object: NSManagedObject, to type: NSManagedObject.Type) {
        // SAFETY: an object begins with its class, and nothing else in it differs: the caller has
        // checked that the new class is below the old one and that instances are of one size.
        unsafeBitCast(object, to: UnsafeMutableRawPointer.self)
            .storeBytes(of: UInt(bitPattern: ObjectIdentifier(type)), as: UInt.self)
    }
}
