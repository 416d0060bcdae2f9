// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Decodes values of any type from nothing: zeros, empty texts and lists, no value for optionals.
///
/// What a property that is no optional gives for a probe, see ``KeyPathProbe``.
struct NeutralDecoder: Decoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    private init(_ path: [any CodingKey]) { codingPath = path }

    /// A value of a type; nil where a type takes none of these, as one that checks a text.
    static func value<Value: Decodable>(_ type: Value.Type) -> Value? {
        try? NeutralDecoder([]).decode(type)
    }

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(NeutralTable(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { NeutralList(decoder: self) }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    fileprivate func inner(_ key: any CodingKey) throws -> NeutralDecoder {
        // A type that has itself as a part is endless, but for optionals and lists.
        guard codingPath.count < 64 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "a type without an end"))
        }
        return NeutralDecoder(codingPath + [key])
    }
}

extension NeutralDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { true }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let known = plain(type) as? Value { return known }
        do {
            return try Value(from: self)
        } catch {
            // Such as an enumeration of texts.
            guard let first = ProbeSamples.anyCase(of: type) else { throw error }
            return first
        }
    }

    /// A value of the types that take no zeros, or that would ask this container for one.
    private func plain(_ type: Any.Type) -> Any? {
        switch type {
        case is String.Type: ""
        case is Bool.Type: false
        case let number as any FixedWidthInteger.Type: zero(number)
        case is Double.Type: 0.0
        case is Float.Type: Float(0)
        case is Decimal.Type: Decimal(0)
        case is URL.Type: URL(fileURLWithPath: "/dev/null")
        case is UUID.Type: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        default: nil
        }
    }

    private func zero<Number: FixedWidthInteger>(_: Number.Type) -> Any { Number.zero }
}

/// A keyed container that has every key.
private struct NeutralTable<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: NeutralDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { true }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.inner(key).decode(type)
    }

    func nestedContainer<Inner>(
        keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
        try decoder.inner(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.inner(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder.inner(key) }
}

/// A list without members.
private struct NeutralList: UnkeyedDecodingContainer {
    let decoder: NeutralDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    func decodeNil() -> Bool { true }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoder.inner(Index()).decode(type)
    }

    func nestedContainer<Inner>(
        keyedBy type: Inner.Type
    ) throws -> KeyedDecodingContainer<Inner> {
        try decoder.inner(Index()).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try decoder.inner(Index()).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder }

    private struct Index: CodingKey {
        let intValue: Int? = 0
        let stringValue = "0"
        init() {}
        init?(intValue: Int) { nil }
        init?(stringValue: String) { nil }
    }
}
