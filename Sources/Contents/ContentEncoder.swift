// SPDX-License-Identifier: Apache-2.0

/// Makes the bytes of values by their own `Encodable` conformance.
///
/// Equal values give equal bytes: keys are sorted, and so are the elements of sets and of
/// dictionaries whose keys are no names, wherever they are handed to a container.
package enum ContentEncoder {
    /// The bytes of a value.
    ///
    /// - Throws: What its conformance throws; `EncodingError` for values too deep within each
    ///   other, and for too many bytes.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let bytes = ContentBytes.make(try ContentPart.make(value, [], 0).node([]))
        guard bytes.count <= ContentBytes.greatestCount else {
            throw ContentEncoder.error(
                value, [],
                "it takes \(bytes.count) bytes; at most \(ContentBytes.greatestCount) are kept")
        }
        return bytes
    }

    static func error(_ value: Any, _ path: [any CodingKey], _ text: String) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: path, debugDescription: text))
    }
}

/// A value on its way to be coded.
enum ContentPart {
    case node(ContentNode)
    case slot(ContentSlot)

    static func make<Value: Encodable>(
        _ value: Value, _ path: [any CodingKey], _ depth: Int
    ) throws -> ContentPart {
        if let reference = value as? any ContentReference {
            return .node(.reference(reference.contentReference))
        }
        if let unordered = value as? any UnorderedContent,
            let node = try unordered.orderedNode(path, depth)
        {
            return .node(node)
        }
        guard depth <= ContentBytes.greatestDepth else {
            throw ContentEncoder.error(
                value, path,
                "values lie more than \(ContentBytes.greatestDepth) deep within each other")
        }
        let slot = ContentSlot()
        try value.encode(to: ValueEncoder(slot, path, depth))
        return .slot(slot)
    }

    func node(_ path: [any CodingKey]) throws -> ContentNode {
        switch self {
        case .node(let node): node
        case .slot(let slot): try slot.node(path)
        }
    }
}

/// Where an encoder puts a value.
final class ContentSlot {
    private enum State {
        case empty
        case one(ContentPart)
        case list([ContentPart])
        case fields([String: ContentPart])
    }

    private var state = State.empty
    /// Whether a value asked for containers of different kinds.
    private var isMixed = false

    func beginFields() {
        switch state {
        case .empty: state = .fields([:])
        case .fields: break
        default: isMixed = true
        }
    }

    func beginList() {
        switch state {
        case .empty: state = .list([])
        case .list: break
        default: isMixed = true
        }
    }

    func set(_ part: ContentPart) {
        guard case .empty = state else { return isMixed = true }
        state = .one(part)
    }

    func set(_ part: ContentPart, for name: String) {
        guard case .fields(var fields) = state else { return isMixed = true }
        // Not copied while it is changed.
        state = .empty
        fields[name] = part
        state = .fields(fields)
    }

    func append(_ part: ContentPart) {
        guard case .list(var parts) = state else { return isMixed = true }
        state = .empty
        parts.append(part)
        state = .list(parts)
    }

    var count: Int {
        if case .list(let parts) = state { parts.count } else { 0 }
    }

    func node(_ path: [any CodingKey]) throws -> ContentNode {
        guard !isMixed else {
            throw ContentEncoder.error(
                self, path, "it asks for containers of several kinds, or codes several values")
        }
        switch state {
        case .empty: return .fields([])
        case .one(let part): return try part.node(path)
        case .list(let parts): return .list(try parts.map { try $0.node(path) })
        case .fields(let fields):
            let sorted = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            return .fields(
                try sorted.map { ContentNode.Field($0.key, try $0.value.node(path)) })
        }
    }
}

/// Values without an order of their own, which are coded in that of their bytes.
private protocol UnorderedContent {
    /// The node; nil for one that is coded as usual.
    func orderedNode(_ path: [any CodingKey], _ depth: Int) throws -> ContentNode?
}

extension Set: UnorderedContent where Element: Encodable {
    fileprivate func orderedNode(_ path: [any CodingKey], _ depth: Int) throws -> ContentNode? {
        let nodes = try map { try ContentPart.make($0, path, depth + 1).node(path) }
        let sorted = nodes.map { (bytes: ContentBytes.make($0), node: $0) }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        return .list(sorted.map(\.node))
    }
}

extension Dictionary: UnorderedContent where Key: Encodable, Value: Encodable {
    fileprivate func orderedNode(_ path: [any CodingKey], _ depth: Int) throws -> ContentNode? {
        // These have names for keys, which are sorted anyway.
        let isNamed = Key.self == String.self || Key.self == Int.self
        guard !isNamed, !(Key.self is any CodingKeyRepresentable.Type) else { return nil }
        let pairs = try map { key, value in
            let key = try ContentPart.make(key, path, depth + 1).node(path)
            let value = try ContentPart.make(value, path, depth + 1).node(path)
            return (bytes: ContentBytes.make(key), nodes: [key, value])
        }
        let sorted = pairs.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        return .list(sorted.flatMap(\.nodes))
    }
}
