// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ClassMetadata {
    /// Gives a class the methods that a subclass overrides, for all objects of the class itself.
    ///
    /// For a class of another module that lacks them, and whose objects programs make by
    /// initialisers of that module. Classes below it keep the methods that they had.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - overriding: A class directly below it, without stored properties.
    ///   - plain: The same without overrides: it tells methods from initialisers, of which each
    ///     class has its own.
    ///   - count: How many methods there are. If another number of entries differs, the layout is
    ///     not the one that is known, and nothing is changed.
    /// - Returns: Whether the class has the methods now.
    static func giveMethods(
        to type: AnyClass, of overriding: AnyClass, unlike plain: AnyClass, count: Int
    ) -> Bool {
        #if canImport(ObjectiveC)
            return false
        #else
            let methods = words(of: type)
            let (new, same) = (words(of: overriding), words(of: plain))
            let places = methods.indices.filter { index in
                new[index] != methods[index] && same[index] == methods[index]
            }
            guard places.count == count, let start = methods.baseAddress,
                makeWritable(start, methods.count)
            else { return false }
            // SAFETY: an entry is an address of a function; the new one takes what the old one
            // took, as it overrides it, and reads nothing of an object that the class lacks.
            for index in places { methods[index] = new[index] }
            return true
        #endif
    }

    /// The entries of a class behind its head: those of its superclasses first, then its own.
    private static func words(of type: AnyClass) -> UnsafeMutableBufferPointer<UInt> {
        // Kind, superclass, flags, sizes of an object and of the class, descriptor, destroyer.
        let head = 7
        let sizeOffset = 32
        // SAFETY: a class is a pointer to its metadata, where Swift's ABI has the size of all of
        // it at this offset and behind that the part before the pointer. CompoundMethodTests
        // would fail with another layout.
        let start = unsafeBitCast(type, to: UnsafeMutableRawPointer.self)
        let size = start.load(fromByteOffset: sizeOffset, as: UInt32.self)
        let before = start.load(fromByteOffset: sizeOffset + 4, as: UInt32.self)
        let words = start.assumingMemoryBound(to: UInt.self)
        let count = Int(size - before) / MemoryLayout<UInt>.stride
        return UnsafeMutableBufferPointer(start: words + head, count: count - head)
    }

    /// Whether memory may be written to, which metadata on Linux may already.
    private static func makeWritable(_ start: UnsafeMutablePointer<UInt>, _ count: Int) -> Bool {
        let page = UInt(getpagesize())
        let first = UInt(bitPattern: start) & ~(page - 1)
        let end = UInt(bitPattern: start + count)
        return mprotect(
            UnsafeMutableRawPointer(bitPattern: first), Int(end - first), PROT_READ | PROT_WRITE)
            == 0
    }
}
