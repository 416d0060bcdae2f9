// SPDX-License-Identifier: Apache-2.0

/// Puts one value into a slot.
struct ValueEncoder: Encoder {
    let slot: ContentSlot
    let codingPath: [any CodingKey]
    let depth: Int
    let wraps: Int
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ slot: ContentSlot, _ codingPath: [any CodingKey], _ depth: Int, wraps: Int) {
        self.slot = slot
        self.codingPath = codingPath
        self.depth = depth
        self.wraps = wraps
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(FieldsEncoder(self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { ListEncoder(self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// An encoder for something within the value.
    func inner(_ slot: ContentSlot, _ key: any CodingKey) -> ValueEncoder {
        ValueEncoder(slot, codingPath + [key], depth + 1, wraps: wraps)
    }

    fileprivate func part(_ value: some Encodable, _ key: any CodingKey) throws -> ContentPart {
        try ContentPart.make(value, codingPath + [key], depth + 1, wraps: wraps)
    }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { slot.set(.node(.null)) }
    func encode(_ value: Bool) throws { slot.set(.node(.boolean(value))) }
    func encode(_ value: String) throws { slot.set(.node(.text(value))) }
    func encode(_ value: Double) throws { slot.set(.node(.double(value))) }
    func encode(_ value: Float) throws { slot.set(.node(.float(value))) }
    func encode(_ value: Int) throws { slot.set(.node(ContentNode(value))) }
    func encode(_ value: Int8) throws { slot.set(.node(ContentNode(value))) }
    func encode(_ value: Int16) throws { slot.set(.node(ContentNode(value))) }
    func encode(_ value: Int32) throws { slot.set(.node(ContentNode(value))) }
    func encode(_ value: Int64) throws { slot.set(.node(ContentNode(value))) }
    func encode(_ value: UInt) throws { slot.set(.node(ContentNode(value))) }
    func encode(_ value: UInt8) throws { slot.set(.node(ContentNode(value))) }
    func encode(_ value: UInt16) throws { slot.set(.node(ContentNode(value))) }
    func encode(_ value: UInt32) throws { slot.set(.node(ContentNode(value))) }
    func encode(_ value: UInt64) throws { slot.set(.node(ContentNode(value))) }

    func encode(_ value: some Encodable) throws {
        slot.set(try ContentPart.make(value, codingPath, depth, wraps: wraps + 1))
    }
}

/// Puts values with keys into a slot.
struct FieldsEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    init(_ encoder: ValueEncoder) {
        self.encoder = encoder
        encoder.slot.beginFields()
    }

    private func set(_ node: ContentNode, _ key: Key) {
        encoder.slot.set(.node(node), for: key.stringValue)
    }

    private func inner(_ key: any CodingKey) -> ValueEncoder {
        let slot = ContentSlot()
        encoder.slot.set(.slot(slot), for: key.stringValue)
        return encoder.inner(slot, key)
    }

    func encodeNil(forKey key: Key) throws { set(.null, key) }
    func encode(_ value: Bool, forKey key: Key) throws { set(.boolean(value), key) }
    func encode(_ value: String, forKey key: Key) throws { set(.text(value), key) }
    func encode(_ value: Double, forKey key: Key) throws { set(.double(value), key) }
    func encode(_ value: Float, forKey key: Key) throws { set(.float(value), key) }
    func encode(_ value: Int, forKey key: Key) throws { set(ContentNode(value), key) }
    func encode(_ value: Int8, forKey key: Key) throws { set(ContentNode(value), key) }
    func encode(_ value: Int16, forKey key: Key) throws { set(ContentNode(value), key) }
    func encode(_ value: Int32, forKey key: Key) throws { set(ContentNode(value), key) }
    func encode(_ value: Int64, forKey key: Key) throws { set(ContentNode(value), key) }
    func encode(_ value: UInt, forKey key: Key) throws { set(ContentNode(value), key) }
    func encode(_ value: UInt8, forKey key: Key) throws { set(ContentNode(value), key) }
    func encode(_ value: UInt16, forKey key: Key) throws { set(ContentNode(value), key) }
    func encode(_ value: UInt32, forKey key: Key) throws { set(ContentNode(value), key) }
    func encode(_ value: UInt64, forKey key: Key) throws { set(ContentNode(value), key) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        encoder.slot.set(try encoder.part(value, key), for: key.stringValue)
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> { inner(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        inner(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { inner(PlainKey("super")) }

    func superEncoder(forKey key: Key) -> any Encoder { inner(key) }
}

/// Puts values one behind the other into a slot.
struct ListEncoder: UnkeyedEncodingContainer {
    private let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.slot.count }

    init(_ encoder: ValueEncoder) {
        self.encoder = encoder
        encoder.slot.beginList()
    }

    private func append(_ node: ContentNode) { encoder.slot.append(.node(node)) }

    private func inner() -> ValueEncoder {
        let slot = ContentSlot()
        let key = PlainKey(count)
        encoder.slot.append(.slot(slot))
        return encoder.inner(slot, key)
    }

    func encodeNil() throws { append(.null) }
    func encode(_ value: Bool) throws { append(.boolean(value)) }
    func encode(_ value: String) throws { append(.text(value)) }
    func encode(_ value: Double) throws { append(.double(value)) }
    func encode(_ value: Float) throws { append(.float(value)) }
    func encode(_ value: Int) throws { append(ContentNode(value)) }
    func encode(_ value: Int8) throws { append(ContentNode(value)) }
    func encode(_ value: Int16) throws { append(ContentNode(value)) }
    func encode(_ value: Int32) throws { append(ContentNode(value)) }
    func encode(_ value: Int64) throws { append(ContentNode(value)) }
    func encode(_ value: UInt) throws { append(ContentNode(value)) }
    func encode(_ value: UInt8) throws { append(ContentNode(value)) }
    func encode(_ value: UInt16) throws { append(ContentNode(value)) }
    func encode(_ value: UInt32) throws { append(ContentNode(value)) }
    func encode(_ value: UInt64) throws { append(ContentNode(value)) }

    func encode(_ value: some Encodable) throws {
        encoder.slot.append(try encoder.part(value, PlainKey(count)))
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type
    ) -> KeyedEncodingContainer<Inner> { inner().container(keyedBy: type) }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { inner().unkeyedContainer() }

    func superEncoder() -> any Encoder { inner() }
}

/// A key of a name or of a place in a list.
struct PlainKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(_ place: Int) {
        stringValue = "\(place)"
        intValue = place
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(intValue) }
}
