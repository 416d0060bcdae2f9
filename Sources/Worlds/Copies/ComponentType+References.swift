// SPDX-License-Identifier: Apache-2.0

import Traps

/// A field of a component that names a game object.
package struct ReferenceField: Equatable {
    /// The offset within the value.
    let offset: Int
    /// Whether the field may be nil, which a byte behind the ID says.
    let isOptional: Bool

    /// Replaces the ID in a value.
    package func replace(
        in value: UnsafeMutableRawPointer, _ other: (GameObjectID) -> GameObjectID
    ) {
        if isOptional, value.load(fromByteOffset: offset + 8, as: UInt8.self) != 0 { return }
        let id = value.loadUnaligned(fromByteOffset: offset, as: GameObjectID.self)
        value.storeBytes(of: other(id), toByteOffset: offset, as: GameObjectID.self)
    }
}

extension ComponentType {
    /// The fields that name game objects.
    package var references: [ReferenceField] {
        ComponentField.list(fields).compactMap { field in
            switch field.type {
            case "GameObjectID": ReferenceField(offset: field.offset, isOptional: false)
            case "Optional<GameObjectID>": ReferenceField(offset: field.offset, isOptional: true)
            default: nil
            }
        }
    }

    /// Traps for a type with IDs in other places than plain fields.
    package func requireKnownReferences() {
        var mentions = 0
        var rest = Substring(fields)
        while let range = rest.firstRange(of: "GameObjectID") {
            mentions += 1
            rest = rest[range.upperBound...]
        }
        require(
            mentions == references.count,
            "\(self) has IDs of game objects that are no fields of their own, which a copy cannot "
                + "follow")
    }
}
