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

    /// Whether values may have IDs in places that the list of fields does not name.
    package var hasOpaqueFields: Bool {
        let plain = ComponentField.list(fields)
        // Tuples and the like are listed with a type that is no single word.
        return plain.map { "\($0.name):\($0.type)@\($0.offset)" }.joined(separator: " ") != fields
            || plain.contains { !ComponentType.isPlain($0.type) }
    }

    private static func isPlain(_ type: String) -> Bool {
        plainTypes.contains(type) || type.hasPrefix("SIMD")
    }

    private static let plainTypes: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
        "Float", "Double", "Float16", "Bool", "GameObjectID", "Optional<GameObjectID>",
    ]
}

/// IDs of game objects within values, in places that no copy can follow.
package enum HiddenReferences {
    /// The IDs in the payloads of enums, in tuples and so on, but not those of plain fields.
    package static func find<C>(in value: C) -> [GameObjectID] {
        var found: [GameObjectID] = []
        visit(Mirror(reflecting: value), isPlain: true, &found)
        return found
    }

    private static func visit(_ mirror: Mirror, isPlain: Bool, _ found: inout [GameObjectID]) {
        for child in mirror.children {
            if let id = child.value as? GameObjectID, type(of: child.value) == GameObjectID.self {
                if !isPlain { found.append(id) }
            } else if isPlain, type(of: child.value) == GameObjectID?.self {
                continue
            } else {
                let inner = Mirror(reflecting: child.value)
                visit(inner, isPlain: isPlain && inner.displayStyle == .struct, &found)
            }
        }
    }
}
