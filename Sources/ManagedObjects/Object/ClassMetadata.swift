// SPDX-License-Identifier: Apache-2.0

/// What Swift's ABI says of classes and objects and the language does not.
enum ClassMetadata {
    /// The bytes of an object of a class.
    static func instanceSize(of type: NSManagedObject.Type) -> UInt32 {
        #if canImport(ObjectiveC)
            let offset = 48
        #else
            // Kind, superclass, flags and the address point are before it.
            let offset = 24
        #endif
        return unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
            .load(fromByteOffset: offset, as: UInt32.self)
    }

    /// Changes the class of an object to one below it that adds no stored properties.
    ///
    /// The word at the beginning of an object is its class, and nothing else in it differs.
    @inline(never)
    static func change(_ object: NSManagedObject, to type: NSManagedObject.Type) {
        unsafeBitCast(object, to: UnsafeMutableRawPointer.self)
            .storeBytes(of: UInt(bitPattern: ObjectIdentifier(type)), as: UInt.self)
    }
}
