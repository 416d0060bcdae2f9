// SPDX-License-Identifier: Apache-2.0

@_spi(Reflection) import Swift

/// The bytes of a type's values that say nothing: those between fields and behind the last one, and
/// those that the case of an enumeration leaves unused.
///
/// Swift copies them along or leaves there what was in the memory before. So equal values may
/// differ in them, and a file would get whatever the program had in its memory.
struct ValueGaps {
    private let size: Int
    private var spaces: [Range<Int>] = []
    private var choices: [Choice] = []

    /// An enumeration some of whose cases come with something.
    fileprivate struct Choice {
        let offset: Int
        let witnesses: ValueWitnesses
        /// What the first cases come with.
        let payloads: [ValueGaps]
    }

    /// Nil for a type all of whose bytes say something.
    ///
    /// - Parameters:
    ///   - type: A bitwise copyable type.
    ///   - stride: The distance of two values in bytes.
    init?(of type: Any.Type, stride: Int) {
        self.init(type, byteCount: stride)
        if spaces.isEmpty, choices.isEmpty { return nil }
    }

    private init(_ type: Any.Type, byteCount: Int) {
        size = byteCount
        var meaning = [Bool](repeating: false, count: byteCount)
        look(at: type, 0, &meaning)
        var start: Int?
        for (offset, means) in (meaning + [true]).enumerated() {
            if means, let first = start { spaces.append(first..<offset) }
            start = means ? nil : start ?? offset
        }
    }

    private mutating func look(at type: Any.Type, _ start: Int, _ meaning: inout [Bool]) {
        let witnesses = ValueWitnesses(type)
        if let count = ValueGaps.byteCount(ofNumber: type) {
            return note(start..<start + count, &meaning)
        }
        if let array = type as? any ElementsInPlace.Type {
            let stride = ValueWitnesses(array.elementType).stride
            for index in 0..<array.elementCount {
                look(at: array.elementType, start + index * stride, &meaning)
            }
            return
        }
        var hasFields = false
        switch EnumerationCases.kind(of: type) {
        case .structure, .tuple:
            _ = _forEachField(of: type, options: []) { _, offset, field, _ in
                hasFields = true
                look(at: field, start + offset, &meaning)
                return true
            }
        case .enumeration, .optional:
            let payloads = (EnumerationCases.list(of: type) ?? []).compactMap(\.payload)
            if !payloads.isEmpty, !payloads.contains(where: { $0 == Never.self }) {
                choices.append(
                    Choice(
                        offset: start, witnesses: witnesses,
                        payloads: payloads.map {
                            ValueGaps($0, byteCount: ValueWitnesses($0).size)
                        }))
            }
        case nil: break
        }
        if !hasFields { note(start..<start + witnesses.size, &meaning) }
    }

    private func note(_ bytes: Range<Int>, _ meaning: inout [Bool]) {
        for offset in bytes where offset < meaning.count { meaning[offset] = true }
    }

    /// How many bytes of a number say something; nil for another type.
    private static func byteCount(ofNumber type: Any.Type) -> Int? {
        if let vector = type as? any SIMD.Type { return byteCount(of: vector) }
        guard type is any BinaryFloatingPoint.Type else { return nil }
        // The extended type has 80 bits in 16 bytes.
        return min(10, ValueWitnesses(type).size)
    }

    private static func byteCount<V: SIMD>(of type: V.Type) -> Int {
        V.scalarCount * MemoryLayout<V.Scalar>.stride
    }
}

extension ValueGaps {
    /// Zeroes the bytes of a value that say nothing.
    func clear(_ value: UnsafeMutableRawPointer) {
        for space in spaces { ValueGaps.zero(value, space) }
        for choice in choices { choice.clear(value + choice.offset) }
    }

    /// Whether two values are the same in all bytes that say something.
    func isSame(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 2 * size, alignment: 16) { room in
            guard let first = room.baseAddress else { return true }
            let second = first + size
            first.copyMemory(from: one, byteCount: size)
            second.copyMemory(from: other, byteCount: size)
            clear(first)
            clear(second)
            return UnsafeRawBufferPointer(start: first, count: size)
                .elementsEqual(UnsafeRawBufferPointer(start: second, count: size))
        }
    }

    private static func zero(_ value: UnsafeMutableRawPointer, _ bytes: Range<Int>) {
        (value + bytes.lowerBound)
            .initializeMemory(as: UInt8.self, repeating: 0, count: bytes.count)
    }
}

extension Column {
    /// Zeroes what says nothing in the values of a chunk that is about to be written.
    package func clearGaps(_ chunk: Int) {
        guard let gaps, isDirty(chunk), let start = slots[chunk].bytes,
            let presence = slots[chunk].presence
        else { return }
        for word in 0..<layout.words {
            for bit in Bits(presence[word]) {
                gaps.clear(start + layout.valuesOffset + (word << 6 | bit) * layout.stride)
            }
        }
    }
}

extension ValueGaps.Choice {
    func clear(_ value: UnsafeMutableRawPointer) {
        let tag = witnesses.tag(of: value)
        var used = 0
        if tag < payloads.count {
            witnesses.project(value)
            payloads[tag].clear(value)
            used = payloads[tag].size
        }
        ValueGaps.zero(value, used..<witnesses.size)
        witnesses.inject(tag, into: value)
    }
}
