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

    /// The number of the case of an enumeration's value.
    func tag(of value: UnsafeRawPointer) -> Int {
        // SAFETY: as for `function`.
        let witness = unsafeBitCast(function(at: Place.tag), to: Tag.self)
        return Int(witness(value, metadata))
    }

    /// Makes an enumeration's value what comes with its case, without the case.
    func project(_ value: UnsafeMutableRawPointer) {
        // SAFETY: as for `function`.
        let witness = unsafeBitCast(function(at: Place.project), to: Project.self)
        witness(value, metadata)
    }

    /// Makes what comes with a case a value of an enumeration.
    func inject(_ tag: Int, into value: UnsafeMutableRawPointer) {
        // SAFETY: as for `function`.
        let witness = unsafeBitCast(function(at: Place.inject), to: Inject.self)
        witness(value, UInt32(tag), metadata)
    }

    // SAFETY: the tables of enumerations, and only those, have the three functions, which take
    // their arguments as C does.
    private func function(at place: Int) -> UnsafeRawPointer {
        table.load(fromByteOffset: place, as: UnsafeRawPointer.self)
    }
}
