// SPDX-License-Identifier: Apache-2.0

/// What Swift's ABI lets be asked of values whose type is known at run time only.
struct ValueWitnesses {
    private let metadata: UnsafeRawPointer
    private let table: UnsafeRawPointer

    init(_ type: Any.Type) {
        // SAFETY: a type is a pointer to its metadata, in front of which is the address of the
        // table.
        metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        table = metadata.load(
            fromByteOffset: -MemoryLayout<UnsafeRawPointer>.size, as: UnsafeRawPointer.self)
    }

    /// Where the table has what: eight functions come first, and those of enumerations last.
    private enum Place {
        static let size = 64
        static let stride = 72
        static let tag = 88
        static let project = 96
        static let inject = 104
    }

    var size: Int { table.load(fromByteOffset: Place.size, as: Int.self) }
    var stride: Int { table.load(fromByteOffset: Place.stride, as: Int.self) }

    private typealias Tag =
        @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
    private typealias Project =
        @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
    private typealias Inject =
        @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

    // SAFETY: the tables of enumerations, and only those, have the three functions; they take their
    // arguments as C does.

    /// The number of the case of an enumeration's value.
    func tag(of value: UnsafeRawPointer) -> Int {
        let function = table.load(fromByteOffset: Place.tag, as: UnsafeRawPointer.self)
        return Int(unsafeBitCast(function, to: Tag.self)(value, metadata))
    }

    /// Makes an enumeration's value what comes with its case, without the case.
    func project(_ value: UnsafeMutableRawPointer) {
        let function = table.load(fromByteOffset: Place.project, as: UnsafeRawPointer.self)
        unsafeBitCast(function, to: Project.self)(value, metadata)
    }

    /// Makes what comes with a case a value of an enumeration.
    func inject(_ tag: Int, into value: UnsafeMutableRawPointer) {
        let function = table.load(fromByteOffset: Place.inject, as: UnsafeRawPointer.self)
        unsafeBitCast(function, to: Inject.self)(value, UInt32(tag), metadata)
    }
}
