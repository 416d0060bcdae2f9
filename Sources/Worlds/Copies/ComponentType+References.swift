// SPDX-License-Identifier: Apache-2.0

import Traps

/// A field of a component that names a game object.
package struct ReferenceField: Sendable, Hashable {
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

/// What copies have to know of the fields of a type.
///
/// It follows from the list of fields, and takes microseconds to find out: a description has it
/// from the start, so that copying one game object does not read the list.
struct CopyFacts: Sendable, Hashable {
    /// The fields that name game objects.
    let references: [ReferenceField]
    /// Whether values may have IDs in places that the list of fields does not name.
    let hasOpaqueFields: Bool
    /// Whether the bytes of such fields may be those of an ID, as far as the list says.
    let mayHideReferences: Bool

    init(fields: String, size: Int, isCoded: Bool) {
        let list = ComponentField.list(fields)
        references = list.compactMap { field in
            switch field.type {
            case "GameObjectID": ReferenceField(offset: field.offset, isOptional: false)
            case "Optional<GameObjectID>": ReferenceField(offset: field.offset, isOptional: true)
            default: nil
            }
        }
        // Whether the list says everything.
        let text = list.map { "\($0.name):\($0.type)@\($0.offset)" }.joined(separator: " ")
        let isListed = text == fields && (size == 0 || !list.isEmpty)
        // Tuples and the like are listed with a type that is no single word.
        hasOpaqueFields = !isCoded && (!isListed || list.contains { !isPlain($0.type) })
        guard hasOpaqueFields, isListed else {
            mayHideReferences = hasOpaqueFields && mayHideReference(fields, size)
            return
        }
        // Without details, as earlier versions wrote it, that depends on the room, which ends at
        // the next field. A damaged file may have very many.
        var mayHide = false
        var (offset, end) = (nil as Int?, size)
        for field in list.sorted(by: { $0.offset > $1.offset }) where !mayHide {
            if field.offset != offset { (end, offset) = (offset ?? size, field.offset) }
            mayHide = !isPlain(field.type) && mayHideReference(field.type, end - field.offset)
        }
        mayHideReferences = mayHide
    }
}

extension ComponentType {
    /// The fields that name game objects.
    package var references: [ReferenceField] { copyFacts.references }

    /// Whether values may have IDs in places that the list of fields does not name.
    package var hasOpaqueFields: Bool { copyFacts.hasOpaqueFields }
}

/// Whether a value of a type that is no plain field may have an ID.
private func mayHideReference(_ type: String, _ size: Int) -> Bool {
    if type.contains("GameObjectID") { return true }
    if TypeSignature.hasDetails(type) || size < MemoryLayout<GameObjectID>.size { return false }
    // Tuples and optional values of numbers have no details, as their names say everything.
    let words = type.split { "<>(), ".contains($0) }.filter { $0.last != ":" }
    return words.isEmpty || !words.allSatisfy { $0 == "Optional" || isPlain(String($0)) }
}

private func isPlain(_ type: String) -> Bool {
    plainTypes.contains(type) || type.hasPrefix("SIMD")
}

private let plainTypes: Set<String> = {
    let numbers = [
        "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32",
        "UInt64", "UInt128", "Float", "Double", "Float16", "Float80", "Bool", "GameObjectID",
    ]
    return Set(numbers + numbers.map { "Optional<\($0)>" })
}()

/// IDs of game objects within values, in places that no copy can follow.
package enum HiddenReferences {
    /// The IDs in the payloads of enums, in tuples and so on, but not those of plain fields.
    package static func find<C>(in value: C) -> [GameObjectID] {
        var found: [GameObjectID] = []
        let mirror = Mirror(reflecting: value)
        visit(mirror, isPlain: mirror.displayStyle == .struct, &found)
        return found
    }

    private static func visit(_ mirror: Mirror, isPlain: Bool, _ found: inout [GameObjectID]) {
        for child in mirror.children {
            if let id = child.value as? GameObjectID, type(of: child.value) == GameObjectID.self {
                if !isPlain { found.append(id) }
            } else if isPlain, type(of: child.value) == GameObjectID?.self {
                continue
            } else if let array = child.value as? any ElementsInPlace {
                for element in array.elements {
                    visit(Mirror(reflecting: Hidden(value: element)), isPlain: false, &found)
                }
            } else {
                let inner = Mirror(reflecting: child.value)
                visit(inner, isPlain: isPlain && inner.displayStyle == .struct, &found)
            }
        }
    }

    /// What gives a value that is no child of another one a mirror with it as a child.
    private struct Hidden { let value: Any }

    /// Why a copy cannot follow the IDs of packed values; nil if it can.
    ///
    /// - Parameters:
    ///   - values: The values, each ``ComponentType/stride`` bytes from the next.
    ///   - type: What they are.
    ///   - swiftType: Their type, if a world of the program knows it.
    ///   - name: What messages call the value of a place.
    static func obstacle(
        in values: [UInt8], _ type: ComponentType,
        _ swiftType: @autoclosure () -> (any StoredComponent.Type)?, _ name: (Int) -> String
    ) -> String? {
        guard type.hasOpaqueFields, !values.isEmpty else { return nil }
        if let swiftType = swiftType() { return obstacle(in: values, of: swiftType, name) }
        guard type.copyFacts.mayHideReferences else { return nil }
        return "\(type.name) of \(name(0)) may have an ID in an enum, a tuple or the like, where a "
            + "copy cannot follow it; name the type first, by World(context:components:) or "
            + "world.register, so that its values can be looked at"
    }

    private static func obstacle<C: StoredComponent>(
        in values: [UInt8], of type: C.Type, _ name: (Int) -> String
    ) -> String? {
        values.withUnsafeBytes { values in
            for index in 0..<values.count / MemoryLayout<C>.stride {
                let value = values.loadUnaligned(
                    fromByteOffset: index * MemoryLayout<C>.stride, as: type)
                let hidden = find(in: value)
                guard !hidden.isEmpty else { continue }
                return "\(type.componentName) of \(name(index)) has the ID \(hidden) in an enum, a "
                    + "tuple or the like, where a copy cannot follow it"
            }
            return nil
        }
    }
}
