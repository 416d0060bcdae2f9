// SPDX-License-Identifier: Apache-2.0

/// Makes the bytes of values by their own `Encodable` conformance.
///
/// Values that hand the same to their containers give the same bytes: keys are sorted, and so are
/// the elements of sets and of dictionaries whose keys are no names, wherever a container gets
/// them. That a type takes two values for equal is not enough: texts that differ in their Unicode
/// scalars, 0 and -0, and what a type's own `==` leaves out give other bytes.
package enum ContentEncoder {
    /// The bytes of a value.
    ///
    /// - Throws: What its conformance throws; `EncodingError` for values too deep within each
    ///   other, and for too many bytes.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let bytes = ContentBytes.make(try ContentPart.make(value, [], 0).node([], 0))
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

    /// Codes a value.
    ///
    /// - Parameters:
    ///   - depth: How many lists and values with keys it lies in.
    ///   - wraps: How many values around it are coded as what they wrap, as an optional is.
    static func make<Value: Encodable>(
        _ value: Value, _ path: [any CodingKey], _ depth: Int, wraps: Int = 0
    ) throws -> ContentPart {
        // Values that contain themselves would not end.
        guard depth <= ContentBytes.greatestDepth, wraps <= ContentBytes.greatestDepth * 4 else {
            throw ContentPart.tooDeep(value, path)
        }
        if let reference = value as? any ContentReference {
            return .node(.reference(reference.contentReference))
        }
        if let unordered = value as? any UnorderedContent,
            let node = try unordered.orderedNode(path, depth)
        {
            return .node(node)
        }
        let slot = ContentSlot()
        try value.encode(to: ValueEncoder(slot, path, depth, wraps: wraps))
        return .slot(slot)
    }

    /// The value, at the depth at which readers will find it.
    func node(_ path: [any CodingKey], _ depth: Int) throws -> ContentNode {
        guard depth <= ContentBytes.greatestDepth else { throw ContentPart.tooDeep(self, path) }
        return switch self {
        case .node(let node): node
        case .slot(let slot): try slot.node(path, depth)
        }
    }

    private static func tooDeep(_ value: Any, _ path: [any CodingKey]) -> EncodingError {
        ContentEncoder.error(
            value, path,
            "values lie more than \(ContentBytes.greatestDepth) deep within each other")
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

    func node(_ path: [any CodingKey], _ depth: Int) throws -> ContentNode {
        guard !isMixed else {
            throw ContentEncoder.error(
                self, path, "it asks for containers of several kinds, or codes several values")
        }
        switch state {
        case .empty: return .fields([])
        case .one(let part): return try part.node(path, depth)
        case .list(let parts): return .list(try parts.map { try $0.node(path, depth + 1) })
        case .fields(let fields):
            let sorted = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            return .fields(
                try sorted.map { ContentNode.Field($0.key, try $0.value.node(path, depth + 1)) })
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
        let inner = depth + 1
        let nodes = try map { try ContentPart.make($0, path, inner).node(path, inner) }
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
        let inner = depth + 1
        let pairs = try map { key, value in
            let key = try ContentPart.make(key, path, inner).node(path, inner)
            let value = try ContentPart.make(value, path, inner).node(path, inner)
            return (bytes: ContentBytes.make(key), nodes: [key, value])
        }
        let sorted = pairs.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        return .list(sorted.flatMap(\.nodes))
    }
}
