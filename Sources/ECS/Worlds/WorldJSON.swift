// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Foundation
import Worlds

/// Worlds as JSON: game objects with their components, relationships and resources.
///
/// ```swift
/// let json = WorldJSON(
///     components: Spot.self, Velocity.self, relationships: ChildOf.self)
/// try json.data(of: world).write(to: url)
/// try json.load(try Data(contentsOf: url), into: other)
/// ```
///
/// Component types that are `Codable` say themselves how they look. A document is an object:
///
/// ```json
/// {
///   "objects" : [
///     {
///       "components" : { "Spot" : { "x" : 1, "y" : 2 } },
///       "id" : "1/p2",
///       "relationships" : { "ChildOf" : ["1/p1"] }
///     }
///   ],
///   "resources" : { "Turn" : { "number" : 7 } }
/// }
/// ```
///
/// Game objects come in the order of their IDs and keys in that of the alphabet, so that equal
/// worlds give equal documents. Managed objects are not in it.
public struct WorldJSON: Sendable {
    let codecs: [String: ComponentCodec]
    let kinds: [String: RelationshipCodec]

    /// Makes a coder of component types and kinds of relationships.
    ///
    /// The component types are those of resources, too.
    public init<each C: WorldComponent & Codable, each R: Relationship>(
        components: repeat (each C).Type, relationships: repeat (each R).Type
    ) {
        var codecs: [String: ComponentCodec] = [:]
        var kinds: [String: RelationshipCodec] = [:]
        for type in repeat each components {
            codecs[type.componentName] = ComponentCodec(type)
        }
        for kind in repeat each relationships {
            kinds[kind.relationshipName] = RelationshipCodec(kind)
        }
        self.codecs = codecs
        self.kinds = kinds
    }

    /// The document of a world.
    ///
    /// - Throws: `CocoaError` 134060 for a world with a component or relationship that the coder
    ///   does not have, naming it; what encoding a component throws.
    /// - Complexity: O(values), and memory for the document.
    public func data(of world: World) throws -> Data {
        try checkTypes(of: world)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let document = WorldDocument(
            objects: world.query(GameObjectID.self).objects.map { object in
                ObjectForm(
                    id: object, components: ValuesForm(components: object, world, codecs),
                    relationships: kinds.compactMapValues { kind in
                        let targets = kind.targets(world, object)
                        return targets.isEmpty ? nil : targets
                    })
            },
            resources: ValuesForm(resourcesOf: world, codecs))
        return try encoder.encode(document)
    }

    private func checkTypes(of world: World) throws {
        var missing: [String] = []
        for column in world.columns.dropFirst() where column.count > 0 {
            let name = column.type.name
            let isKnown =
                switch column.type.kind {
                case .component: codecs[name] != nil
                case .relationship: kinds[name] != nil
                case .resource: codecs[String(name.dropFirst(World.resourcePrefix.count))] != nil
                }
            if !isKnown { missing.append(name) }
        }
        guard missing.isEmpty else {
            throw CoreDataError.make(
                .coreData,
                "the world has \(missing.sorted().joined(separator: ", ")), which the WorldJSON "
                    + "was not made with")
        }
    }
}

/// Reads and writes the values of a component type.
struct ComponentCodec: Sendable {
    typealias Keys = KeyedEncodingContainer<NameKey>
    /// A value that was read, ready to be given to a game object or to the world.
    struct Value {
        let name: String
        /// The IDs in it that no field of its own has.
        let hiddenIDs: [GameObjectID]
        let set: (World, GameObjectID?, (GameObjectID) -> GameObjectID) -> Void
    }

    /// What is kept of a value.
    let type: ComponentType
    let has: @Sendable (World, GameObjectID?) -> Bool
    let encode: @Sendable (World, GameObjectID?, inout Keys) throws -> Void
    let decode: @Sendable (KeyedDecodingContainer<NameKey>, NameKey) throws -> Value

    init<C: WorldComponent & Codable>(_ type: C.Type) {
        let key = NameKey(C.componentName)
        has = { ComponentCodec.value(type, $0, $1) != nil }
        encode = { world, object, keys in
            do {
                try keys.encodeIfPresent(ComponentCodec.value(type, world, object), forKey: key)
            } catch EncodingError.invalidValue(let value, let context) {
                throw EncodingError.invalidValue(
                    value, context.naming(key, of: object.map { "\($0)" } ?? "the world"))
            }
        }
        let described = ComponentType(C.__Stored.self)
        self.type = described
        decode = { keys, key in
            let value = try keys.decode(type, forKey: key)
            if C.__isCoded { try CodedReferences.check(value, keys.codingPath + [key]) }
            let hidden = described.hasOpaqueFields ? HiddenReferences.find(in: value) : []
            return Value(name: C.componentName, hiddenIDs: hidden) { world, object, map in
                var value = C.__isCoded ? CodedReferences.replace(in: value, map) : value
                if !described.references.isEmpty {
                    withUnsafeMutablePointer(to: &value) { place in
                        for field in described.references { field.replace(in: place, map) }
                    }
                }
                ComponentCodec.set(value, world, object)
            }
        }
    }

    private static func value<C: WorldComponent>(
        _ type: C.Type, _ world: World, _ object: GameObjectID?
    ) -> C? {
        if let object { world[object, type] } else { world[resource: type] }
    }

    /// Sets a value unless it is there already, so that loading again changes nothing.
    private static func set<C: WorldComponent & Codable>(
        _ value: C, _ world: World, _ object: GameObjectID?
    ) {
        if let old = ComponentCodec.value(C.self, world, object), isSame(old, value) { return }
        if let object { world.set(value, of: object) } else { world[resource: C.self] = value }
    }

    private static func isSame<C: WorldComponent & Codable>(_ one: C, _ other: C) -> Bool {
        // A value without size has no bytes to compare.
        guard MemoryLayout<C>.size > 0 else { return true }
        let hasSameBytes = withUnsafeBytes(of: one) { one in
            withUnsafeBytes(of: other) { one.elementsEqual($0) }
        }
        if hasSameBytes { return true }
        // Bytes may differ that say nothing. The type's own equality may leave out what counts, so
        // what is written decides; what cannot be written, such as NaN, is set again.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let mine = try? encoder.encode(one) else { return false }
        return mine == (try? encoder.encode(other))
    }
}

/// Reads and makes the links of a kind.
struct RelationshipCodec: Sendable {
    let name: String
    /// What is kept of a link.
    let type: ComponentType
    let isExclusive: Bool
    let isAcyclic: Bool
    let targets: @Sendable (World, GameObjectID) -> [GameObjectID]
    let relate: @Sendable (World, GameObjectID, GameObjectID) -> Void
    let isRelated: @Sendable (World, GameObjectID, GameObjectID) -> Bool
    /// Takes rows for a number of links.
    let reserve: @Sendable (World, Int) throws -> Void
    /// Ends what another target of an exclusive source replaces.
    let unrelate: @Sendable (World, GameObjectID, GameObjectID) -> Void

    init<Kind: Relationship>(_ kind: Kind.Type) {
        name = kind.relationshipName
        type = ComponentType(Link<Kind>.self)
        isExclusive = kind.isExclusive
        isAcyclic = kind.isAcyclic
        targets = { $0.targets(of: $1, kind) }
        relate = { $0.relate($1, kind, to: $2) }
        isRelated = { $0.isRelated($1, kind, to: $2) }
        reserve = { try $0.reserveLinks($1, kind) }
        unrelate = { world, source, target in
            if !world.isRelated(source, kind, to: target) { world.unrelate(source, kind) }
        }
    }

    /// The targets that a game object would have with further links.
    func targets(
        _ object: GameObjectID, with links: [GameObjectID: [GameObjectID]], in world: World
    ) -> [GameObjectID] {
        let added = links[object] ?? []
        return isExclusive && !added.isEmpty ? added : added + targets(world, object)
    }
}

extension EncodingError.Context {
    /// The same with the names of a component, its owner and the field that cannot be written.
    fileprivate func naming(_ component: NameKey, of owner: String) -> EncodingError.Context {
        let place = codingPath.lastIndex { $0.stringValue == component.stringValue }
        let fields = codingPath[(place.map { $0 + 1 } ?? codingPath.endIndex)...]
        let name = ([component.stringValue] + fields.map(\.stringValue)).joined(separator: ".")
        return EncodingError.Context(
            codingPath: codingPath,
            debugDescription: "\(name) of \(owner) cannot be written: \(debugDescription)",
            underlyingError: underlyingError)
    }
}
