// SPDX-License-Identifier: Apache-2.0

import Foundation
import Worlds

/// A world as it is coded.
struct WorldDocument: Codable {
    var objects: [ObjectForm]
    var resources: ValuesForm

    init(objects: [ObjectForm], resources: ValuesForm) {
        self.objects = objects
        self.resources = resources
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        objects = try container.decode([ObjectForm].self, forKey: .objects)
        resources =
            try container.decodeIfPresent(ValuesForm.self, forKey: .resources) ?? ValuesForm()
    }
}

/// A game object as it is coded.
struct ObjectForm: Codable {
    var id: GameObjectID
    var components: ValuesForm
    var relationships: [String: [GameObjectID]]

    init(id: GameObjectID, components: ValuesForm, relationships: [String: [GameObjectID]]) {
        self.id = id
        self.components = components
        self.relationships = relationships
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(GameObjectID.self, forKey: .id)
        components =
            try container.decodeIfPresent(ValuesForm.self, forKey: .components) ?? ValuesForm()
        relationships =
            try container.decodeIfPresent([String: [GameObjectID]].self, forKey: .relationships)
            ?? [:]
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        if !components.isEmpty { try container.encode(components, forKey: .components) }
        if !relationships.isEmpty { try container.encode(relationships, forKey: .relationships) }
    }

    private enum CodingKeys: CodingKey { case id, components, relationships }
}

/// The values of a game object or of the world, by the names of their types.
struct ValuesForm: Codable {
    /// The coder's types, which the decoder's user info has under this key.
    static let codecsKey = CodingUserInfoKey(rawValue: "lode.components")

    private var write: (inout ComponentCodec.Keys) throws -> Void = { _ in }
    private(set) var isEmpty = true
    /// The values that were read.
    private(set) var values: [ComponentCodec.Value] = []

    init() {}

    init(components object: GameObjectID, _ world: World, _ codecs: [String: ComponentCodec]) {
        self.init(object, world, codecs)
    }

    init(resourcesOf world: World, _ codecs: [String: ComponentCodec]) {
        self.init(nil, world, codecs)
    }

    private init(_ object: GameObjectID?, _ world: World, _ codecs: [String: ComponentCodec]) {
        let present = codecs.values.filter { $0.has(world, object) }
        isEmpty = present.isEmpty
        write = { keys in for codec in present { try codec.encode(world, object, &keys) } }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: NameKey.self)
        let codecs =
            ValuesForm.codecsKey.flatMap { decoder.userInfo[$0] as? [String: ComponentCodec] }
            ?? [:]
        for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            guard let codec = codecs[key.stringValue] else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container,
                    debugDescription: "the WorldJSON was made without the component "
                        + key.stringValue)
            }
            values.append(try codec.decode(container, key))
        }
        isEmpty = values.isEmpty
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: NameKey.self)
        try write(&container)
    }
}

/// A key that is any name.
struct NameKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
