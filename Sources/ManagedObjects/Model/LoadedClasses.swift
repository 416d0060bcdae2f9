// SPDX-License-Identifier: Apache-2.0

/// The classes of the program and of all its libraries, by their bare names.
///
/// The compiler lists the types of each image, and the Swift runtime knows the lists of all images
/// that are loaded. Nested and private classes are among them, generic ones are left out.
enum LoadedClasses {
    #if canImport(ObjectiveC)
        static func named(_ name: String) -> [NSManagedObject.Type] { [] }
    #else
        /// The classes of managed objects that have a name in some module.
        static func named(_ name: String) -> [NSManagedObject.Type] {
            let search = Search(name)
            // SAFETY: the function calls back only before it returns, and the search lives longer.
            enumerateImages(
                { image, search in
                    Unmanaged<Search>.fromOpaque(search).takeUnretainedValue().visit(image)
                    return true
                }, Unmanaged.passUnretained(search).toOpaque())
            // Later, as the runtime may hold a lock while it goes over the images.
            return search.found.compactMap(type)
        }

        private final class Search {
            let name: [UInt8]
            var found: [UnsafeRawPointer] = []

            init(_ name: String) { self.name = Array(name.utf8) + [0] }

            /// Looks through the types of an image, given what the image says of its sections.
            func visit(_ image: UnsafeRawPointer) {
                // Version, base address, two words without use, then the start and the length of
                // the sections of protocols, conformances and types.
                let start = image.load(fromByteOffset: 64, as: UnsafeRawPointer?.self)
                let length = image.load(fromByteOffset: 72, as: Int.self)
                guard let start else { return }
                for offset in stride(from: 0, to: length, by: 4) { note(start + offset) }
            }

            /// Keeps the type that an entry leads to, if it is a class of the name.
            private func note(_ entry: UnsafeRawPointer) {
                let word = entry.load(as: Int32.self)
                // The lowest bits tell whether the entry leads to the type or to a pointer to it.
                guard word & 3 < 2 else { return }
                var descriptor = entry + Int(word & ~3)
                if word & 3 == 1 { descriptor = descriptor.load(as: UnsafeRawPointer.self) }
                let flags = descriptor.load(as: UInt32.self)
                let (isClass, isGeneric) = (flags & 0x1F == 16, flags & 0x80 != 0)
                guard isClass, !isGeneric, let text = target(of: descriptor + 8) else { return }
                for (index, byte) in name.enumerated()
                where text.load(fromByteOffset: index, as: UInt8.self) != byte { return }
                found.append(descriptor)
            }
        }

        /// The managed-object class of a descriptor; `nil` for a class of other objects.
        private static func type(_ descriptor: UnsafeRawPointer) -> NSManagedObject.Type? {
            guard let function = target(of: descriptor + 12) else { return nil }
            // SAFETY: `note` lets only classes that are not generic pass. The function of such a
            // class takes the request, 0 for complete metadata, in the first register, and
            // returns the metadata in the register for results, as a function of C does.
            let access = unsafeBitCast(
                function, to: (@convention(c) (UInt) -> UnsafeRawPointer).self)
            return unsafeBitCast(access(0), to: Any.Type.self) as? NSManagedObject.Type
        }

        /// Where a relative pointer leads to; `nil` for 0.
        private static func target(of place: UnsafeRawPointer) -> UnsafeRawPointer? {
            let offset = place.load(as: Int32.self)
            return offset == 0 ? nil : place + Int(offset)
        }
    #endif
}

#if !canImport(ObjectiveC)
    /// Calls a function for each image until it returns false; the runtime exports it for tools.
    @_silgen_name("swift_enumerateAllMetadataSections")
    private func enumerateImages(
        _ body: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Bool,
        _ context: UnsafeMutableRawPointer)
#endif
