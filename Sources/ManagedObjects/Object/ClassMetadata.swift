// SPDX-License-Identifier: Apache-2.0

import CSwiftRuntime
import Foundation

/// What Swift's ABI defines for classes and objects, but the language does not expose.
enum ClassMetadata {
    /// The bytes of an object of a class.
    static func instanceSize(of type: AnyClass) -> UInt32 {
        #if canImport(ObjectiveC)
            let offset = 48
        #else
            // Kind, superclass, flags and the address point are before it.
            let offset = 24
        #endif
        // SAFETY: a class is a pointer to its metadata, where Swift's ABI has the size at this
        // offset. EntityClassTests would fail with another layout.
        return unsafeBitCast(type, to: UnsafeRawPointer.self)
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

    /// Makes an object of a class whose superclass has no initialiser that can be called.
    ///
    /// - Parameters:
    ///   - type: The class. All bits zero must be a value of each of its stored properties.
    ///   - template: An object of a superclass, whose stored properties the new object begins
    ///     with; they must not count references.
    static func makeObject<Object: AnyObject>(
        _ type: Object.Type, like template: AnyObject? = nil
    ) -> Object {
        let size = Int(instanceSize(of: type))
        let head = 2 * MemoryLayout<UInt>.size
        // SAFETY: the memory is of the class's own size and aligned as all allocations are. The
        // caller vouches that zeros and the template's bytes are values of the properties; the
        // template lives while it is read. ExpressionClassTests would fail with another layout.
        let memory = swift_allocObject(
            unsafeBitCast(type, to: UnsafeRawPointer.self), UInt(size), 15)
        memset(memory + head, 0, size - head)
        if let template {
            withExtendedLifetime(template) {
                let known = Int(instanceSize(of: Swift.type(of: template)))
                let bytes = UnsafeRawPointer(Unmanaged.passUnretained(template).toOpaque())
                memcpy(memory + head, bytes + head, known - head)
            }
        }
        // SAFETY: the allocation is of this class and counts one reference, which is passed on.
        return Unmanaged<Object>.fromOpaque(memory).takeRetainedValue()
    }
}
