// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The methods of classes, which Swift cannot be asked for, as its ABI lays them out.
///
/// Behind the head of a class are the methods of its superclasses, then its own. The places of
/// methods are those in which a class that overrides them differs from its superclass and a class
/// that overrides nothing does not: of initialisers each class has its own.
enum MethodTable {
    /// The places of the methods that a class overrides.
    ///
    /// - Parameters:
    ///   - overriding: A class below the base.
    ///   - plain: Another one, which overrides nothing.
    ///   - count: How many methods there are.
    /// - Returns: `nil` if there are more or fewer: the layout is not the one that is known.
    static func places(
        of overriding: AnyClass, unlike plain: AnyClass, base: AnyClass, count: Int
    ) -> [Int]? {
        let methods = methods(of: base, asFarAs: base)
        let own = Self.methods(of: overriding, asFarAs: base)
        let same = Self.methods(of: plain, asFarAs: base)
        let found = methods.indices.filter { own[$0] != methods[$0] && same[$0] == methods[$0] }
        return found.count == count ? found : nil
    }

    #if canImport(ObjectiveC)
        static func methods(of type: AnyClass, asFarAs base: AnyClass) -> [UInt] { [] }
    #else
        /// The entries of a class, as far as its superclass or itself has any.
        static func methods(of type: AnyClass, asFarAs base: AnyClass) -> [UInt] {
            let count = count(of: base)
            // SAFETY: a class is a pointer to its metadata, which has the entries of its
            // superclasses in the places that they have there.
            let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
            return (0..<count).map {
                metadata.load(fromByteOffset: head + $0 * stride, as: UInt.self)
            }
        }

        /// Kind, superclass, flags, the sizes of an object and of the class, descriptor and
        /// destroyer.
        private static let head = 56
        private static let stride = MemoryLayout<UInt>.stride

        private static func count(of type: AnyClass) -> Int {
            // SAFETY: Swift's ABI has the size of the metadata at this place, and behind it how
            // much of that lies before the pointer. CompoundMethodTests would fail otherwise.
            let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
            let size = metadata.load(fromByteOffset: 32, as: UInt32.self)
            let before = metadata.load(fromByteOffset: 36, as: UInt32.self)
            return (Int(size) - Int(before) - head) / stride
        }
    #endif

    /// Gives a class the methods that one below it overrides, for all objects of the class itself.
    ///
    /// For a class of another module that lacks them and whose objects programs make by
    /// initialisers of that module. Classes below it keep the methods that they had.
    ///
    /// - Parameters:
    ///   - base: The class.
    ///   - overriding: A class directly below it, without stored properties.
    ///   - plain: Another one, which overrides nothing.
    ///   - count: How many methods there are.
    /// - Returns: Whether the class has the methods now; not if the layout is unknown.
    static func give(
        _ base: AnyClass, methodsOf overriding: AnyClass, unlike plain: AnyClass, count: Int
    ) -> Bool {
        #if canImport(ObjectiveC)
            return false
        #else
            guard
                let places = places(of: overriding, unlike: plain, base: base, count: count),
                makeWritable(base)
            else { return false }
            let methods = methods(of: overriding, asFarAs: base)
            // SAFETY: an entry is the address of a function; the new one takes what the old one
            // took, as it overrides it, and reads nothing of an object that the class lacks.
            let metadata = unsafeBitCast(base, to: UnsafeMutableRawPointer.self)
            for place in places {
                metadata.storeBytes(
                    of: methods[place], toByteOffset: head + place * stride, as: UInt.self)
            }
            return true
        #endif
    }

    #if !canImport(ObjectiveC)
        /// Whether the metadata of a class may be written to, which it may already on Linux.
        private static func makeWritable(_ type: AnyClass) -> Bool {
            // SAFETY: only the address is used.
            let address = UInt(bitPattern: unsafeBitCast(type, to: UnsafeMutableRawPointer.self))
            let page = UInt(getpagesize())
            let first = address & ~(page - 1)
            let end = address + UInt(head + count(of: type) * stride)
            let start = UnsafeMutableRawPointer(bitPattern: first)
            return mprotect(start, Int(end - first), PROT_READ | PROT_WRITE) == 0
        }
    #endif
}
