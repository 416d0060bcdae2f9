// SPDX-License-Identifier: Apache-2.0

/// The values of an object's transformable attributes as they were set or read, so that the same
/// instance comes back until the object becomes a fault.
///
/// An instance belongs to the bytes that it was made of, or that were made of it: where an
/// attribute has other bytes, after an undo or a merge for instance, another one is made.
struct DecodedValues {
    private struct Entry {
        let position: Int
        let bytes: [UInt8]
        let value: Any
    }

    // A list, as classes have few such attributes.
    private var entries: [Entry] = []

    /// The instance of a field's bytes; `nil` where there is none.
    func value(_ position: Int, _ bytes: [UInt8]) -> Any? {
        entries.first { $0.position == position && $0.bytes == bytes }?.value
    }

    mutating func keep(_ value: Any, _ position: Int, _ bytes: [UInt8]) {
        entries.removeAll { $0.position == position }
        entries.append(Entry(position: position, bytes: bytes, value: value))
    }

    mutating func forget() { entries = [] }
}
