// SPDX-License-Identifier: Apache-2.0

/// The cases of enumerations, which Swift's ABI defines and the language does not expose.
enum EnumerationCases {
    /// A case, in the order that says which bytes it has.
    struct Case {
        let name: String
        /// What comes with it; nil for nothing.
        let payload: Any.Type?
    }

    /// What a type is, as far as a bitwise copyable one can be.
    enum Kind: UInt {
        case structure = 0x200
        case enumeration = 0x201
        case optional = 0x202
        case tuple = 0x301
    }

    static func kind(of type: Any.Type) -> Kind? {
        // SAFETY: a type is a pointer to its metadata, which begins with its kind.
        Kind(rawValue: unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee)
    }

    /// The cases of an enumeration; nil for another type, and where they are not told.
    ///
    /// Those with payloads come first, as their numbers do.
    static func list(of type: Any.Type) -> [Case]? {
        let word = MemoryLayout<UInt>.size
        // SAFETY: a type is a pointer to its metadata, which begins with its kind, and for an
        // enumeration with its descriptor behind that and the arguments of a generic one behind
        // it. The descriptor's fifth word of 32 bits leads to the descriptor of its fields.
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard [.enumeration, .optional].contains(kind(of: type)) else { return nil }
        let descriptor = metadata.load(fromByteOffset: word, as: UnsafeRawPointer.self)
        guard let fields = target(descriptor + 16) else { return nil }
        let isGeneric = descriptor.load(as: UInt32.self) & genericFlag != 0
        let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
        let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
        guard size >= 12, count > 0 else { return nil }
        var cases: [Case] = []
        for number in 0..<count {
            // SAFETY: a record has flags, the type and the name, each in 32 bits.
            let record = fields + 16 + number * size
            guard let name = target(record + 8) else { return nil }
            cases.append(
                Case(
                    name: String(cString: name.assumingMemoryBound(to: CChar.self)),
                    payload: target(record + 4).map {
                        self.type($0, descriptor, isGeneric ? metadata + 2 * word : nil)
                    }))
        }
        return cases
    }

    /// Set in the descriptors of generic types.
    private static var genericFlag: UInt32 { 0x80 }

    /// What a relative reference leads to; nil for none.
    private static func target(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
        // SAFETY: the caller has a reference of 32 bits there, the distance to what it leads to.
        let distance = place.load(as: Int32.self)
        return distance == 0 ? nil : place + Int(distance)
    }

    /// The type of a mangled name; `Never` for one that the runtime does not find.
    private static func type(
        _ name: UnsafeRawPointer, _ context: UnsafeRawPointer, _ arguments: UnsafeRawPointer?
    ) -> Any.Type {
        // SAFETY: a name ends with a zero, which may also be a part of a reference to a symbol: a
        // byte of 1 to 23 with four more, or one of 24 to 31 with a pointer.
        var length = 0
        while true {
            let byte = name.load(fromByteOffset: length, as: UInt8.self)
            if byte == 0 { break }
            switch byte {
            case 1..<24: length += 5
            case 24..<32: length += 1 + MemoryLayout<UInt>.size
            default: length += 1
            }
        }
        return _getTypeByMangledNameInContext(
            name.assumingMemoryBound(to: UInt8.self), UInt(length), genericContext: context,
            genericArguments: arguments) ?? Never.self
    }
}
