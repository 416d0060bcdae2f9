// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// The unsaved objects of an entity, and of those that inherit from it, by one attribute.
///
/// An object that was changed since it was added has entries that are out of date, and objects are
/// told by hashes of their values, so what is found is a choice: no match is missing from it, and
/// not all that it has are matches.
struct PendingValues {
    let entity: EntityRuntime
    let attribute: String
    /// The newest entry of each slot, -1 for none; a power of two of them, at least as many as
    /// entries.
    private var slots = ContiguousArray<Int32>(repeating: -1, count: 64)
    private var entries: ContiguousArray<Entry> = []
    /// Objects whose value is not known before an evaluation asks for it.
    private var unsettled: ContiguousArray<NSManagedObject> = []
    /// The attribute's position in the entity that was seen last: objects of one entity often
    /// follow each other.
    private var lastOrdinal = -1
    private var lastPosition: Int?

    private struct Entry {
        let object: NSManagedObject
        let hash: UInt64
        /// The next one of the same slot; -1 behind the last one.
        var next: Int32
    }

    init(_ equality: QuickEquality) {
        entity = equality.entity
        attribute = equality.attribute
    }

    /// How many entries there are; more than objects, where some were changed.
    var count: Int { entries.count + unsettled.count }

    /// Takes an object in, unless it is of another kind; false then.
    mutating func add(_ object: NSManagedObject) -> Bool {
        guard let position = position(in: object) else { return false }
        guard object.flags.isDisjoint(with: [.fault, .inaccessible]), object.isCodedPlainly else {
            unsettled.append(object)
            return true
        }
        guard let hash = object.knownValue(position).quickHash else { return true }
        // One that is changed again and again, as what many new objects lead to, has one entry.
        let newest = Int(slots[slot(hash)])
        if newest >= 0, entries[newest].object === object, entries[newest].hash == hash {
            return true
        }
        if entries.count == slots.count { grow() }
        entries.append(Entry(object: object, hash: hash, next: -1))
        link(entries.count - 1)
        return true
    }

    private mutating func position(in object: NSManagedObject) -> Int? {
        let ordinal = object.runtimeOrdinal
        if ordinal != lastOrdinal {
            lastPosition = object.runtime.position(of: attribute, inKindOf: entity)
            lastOrdinal = ordinal
        }
        return lastPosition
    }

    @inline(__always)
    private func slot(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count - 1) }

    @inline(__always)
    private mutating func link(_ index: Int) {
        let slot = slot(entries[index].hash)
        entries[index].next = slots[slot]
        slots[slot] = Int32(index)
    }

    private mutating func grow() {
        slots = ContiguousArray(repeating: -1, count: slots.count * 4)
        for index in entries.indices { link(index) }
    }

    /// Calls a body with each object that may have a value, until it returns false.
    ///
    /// - Parameter hash: The value's ``Value/quickHash``.
    @inline(__always)
    func forEach(_ hash: UInt64, _ body: (NSManagedObject) -> Bool) {
        var index = Int(slots[slot(hash)])
        while index >= 0 {
            if entries[index].hash == hash, !body(entries[index].object) { return }
            index = Int(entries[index].next)
        }
        for object in unsettled where !body(object) { return }
    }
}

extension Value {
    // Other in each process, so that no input makes many values of one slot.
    private static let hashSeed = UInt64.random(in: .min ... .max)

    /// A hash of the value's ``quickForm``; nil where it has none.
    ///
    /// In a search among thousands of unsaved objects, hashing values by Swift's hasher took a
    /// quarter of the time.
    var quickHash: UInt64? {
        let seed = Value.hashSeed
        return switch self {
        case .string(let text): RecordChecksum.hash(text, from: seed)
        case .integer16(let number): RecordChecksum.hash(Int64(number), from: seed)
        case .integer32(let number): RecordChecksum.hash(Int64(number), from: seed)
        case .integer64(let number): RecordChecksum.hash(number, from: seed)
        case .uuid(let uuid):
            RecordChecksum.hash(
                Int64(bitPattern: uuid.low),
                from: RecordChecksum.hash(Int64(bitPattern: uuid.high), from: seed))
        case .double(let number) where !number.isNaN: hash(number, seed)
        case .date(let time) where !time.isNaN: hash(time, seed)
        case .uri(let text): RecordChecksum.hash(text, from: seed)
        case .objectID(let key):
            RecordChecksum.hash(Int64(bitPattern: key.rawValue), from: seed)
        case .decimal(let number):
            RecordChecksum.hash(
                Int64(number.exponent) &* 2 &+ (number.isNegative ? 1 : 0),
                from: RecordChecksum.hash(
                    Int64(truncatingIfNeeded: number.significand >> 64),
                    from: RecordChecksum.hash(
                        Int64(truncatingIfNeeded: number.significand), from: seed)))
        default: nil
        }
    }

    private func hash(_ number: Double, _ seed: UInt64) -> UInt64 {
        // Both zeros are equal.
        let bits = number == 0 ? 0 : number.bitPattern
        return RecordChecksum.hash(Int64(bitPattern: bits), from: seed)
    }
}
