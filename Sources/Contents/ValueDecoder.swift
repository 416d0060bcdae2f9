// SPDX-License-Identifier: Apache-2.0

/// Gives one value to its `Decodable` conformance.
struct ValueDecoder: Decoder {
    let node: ContentNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ node: ContentNode, _ codingPath: [any CodingKey]) {
        self.node = node
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .fields(let fields) = node else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(FieldsDecoder(fields, codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .list(let values) = node else { throw mismatch([Any].self) }
        return ListDecoder(values, codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func mismatch(_ type: Any.Type) -> DecodingError {
        let text = "there is \(node.kindName), and \(type) is asked for"
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: text)
        return node == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }
}

/// The values of simple types.
extension ValueDecoder {
    func boolean(_ type: Bool.Type) throws -> Bool {
        guard case .boolean(let value) = node else { throw mismatch(type) }
        return value
    }

    func text(_ type: String.Type) throws -> String {
        guard case .text(let value) = node else { throw mismatch(type) }
        return value
    }

    func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let found: Number?
        switch node {
        case .integer(let number): found = Number(exactly: number)
        case .largeInteger(let number): found = Number(exactly: number)
        default: throw mismatch(type)
        }
        guard let found else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: "the number is none of \(type)"))
        }
        return found
    }

    func double(_ type: Double.Type) throws -> Double {
        switch node {
        case .double(let number): return number
        case .float(let number): return Double(number)
        case .integer(let number):
            guard let same = Double(exactly: number) else { throw mismatch(type) }
            return same
        default: throw mismatch(type)
        }
    }

    func float(_ type: Float.Type) throws -> Float {
        switch node {
        case .float(let number): return number
        case .double(let number) where number.isNaN: return .nan
        case .double(let number):
            guard let same = Float(exactly: number) else { throw mismatch(type) }
            return same
        case .integer(let number):
            guard let same = Float(exactly: number) else { throw mismatch(type) }
            return same
        default: throw mismatch(type)
        }
    }

    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if case .reference(let number) = node, let type = type as? any ContentReference.Type,
            let value = type.init(contentReference: number) as? Value
        {
            return value
        }
        // Optionals, and types that are coded as one reference, ask again for what they wrap.
        return try Value(from: self)
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { node == .null }
    func decode(_ type: Bool.Type) throws -> Bool { try boolean(type) }
    func decode(_ type: String.Type) throws -> String { try text(type) }
    func decode(_ type: Double.Type) throws -> Double { try double(type) }
    func decode(_ type: Float.Type) throws -> Float { try float(type) }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }
}

/// Gives values by their keys.
struct FieldsDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let values: [String: ContentNode]
    let codingPath: [any CodingKey]
    let allKeys: [Key]

    init(_ fields: [ContentNode.Field], _ codingPath: [any CodingKey]) {
        self.codingPath = codingPath
        values = Dictionary(
            fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        allKeys = fields.compactMap { Key(stringValue: $0.name) }
    }

    private func inner(_ key: any CodingKey) throws -> ValueDecoder {
        guard let node = values[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "there is no value \(key.stringValue)"))
        }
        return ValueDecoder(node, codingPath + [key])
    }

    func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try inner(key).node == .null }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try inner(key).boolean(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try inner(key).text(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try inner(key).double(type)
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try inner(key).float(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try inner(key).integer(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try inner(key).integer(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try inner(key).integer(type)
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try inner(key).integer(type)
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try inner(key).integer(type)
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try inner(key).integer(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try inner(key).integer(type)
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try inner(key).integer(type)
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try inner(key).integer(type)
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try inner(key).integer(type)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try inner(key).value(type)
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> { try inner(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try inner(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try inner(PlainKey("super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try inner(key) }
}

/// Gives values one after the other.
struct ListDecoder: UnkeyedDecodingContainer {
    private let values: [ContentNode]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(_ values: [ContentNode], _ codingPath: [any CodingKey]) {
        self.values = values
        self.codingPath = codingPath
    }

    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex == values.count }

    /// Reads the next value, which stays the next one if that fails.
    private mutating func next<Result>(
        _ body: (ValueDecoder) throws -> Result
    ) throws -> Result {
        let path = codingPath + [PlainKey(currentIndex)]
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Result.self,
                DecodingError.Context(codingPath: path, debugDescription: "the list ends before"))
        }
        let result = try body(ValueDecoder(values[currentIndex], path))
        currentIndex += 1
        return result
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { return try next { _ in true } }
        guard values[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try $0.boolean(type) } }
    mutating func decode(_ type: String.Type) throws -> String { try next { try $0.text(type) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try next { try $0.double(type) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try next { try $0.float(type) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try next { try $0.integer(type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { try $0.integer(type) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { try $0.integer(type) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { try $0.integer(type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { try $0.integer(type) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next { try $0.integer(type) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { try $0.integer(type) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { try $0.integer(type) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { try $0.integer(type) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { try $0.integer(type) } }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next { try $0.value(type) }
    }

    mutating func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type
    ) throws -> KeyedDecodingContainer<Inner> { try next { try $0.container(keyedBy: type) } }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}
