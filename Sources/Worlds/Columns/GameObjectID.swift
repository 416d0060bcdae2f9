// SPDX-License-Identifier: Apache-2.0

import Traps

/// The identity of a game object in a world: 64 bits that it keeps for life.
///
/// The ID is the key of the game object's record in a data file: the number of its entity in the
/// upper 16 bits, its row in the lower 48. A world never gives a number twice, so the ID of a
/// despawned object stays invalid and is recognised as such. IDs are values without a reference to
/// their world, and may be stored in components.
@frozen
public struct GameObjectID: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The key of the game object.
    public let rawValue: UInt64

    /// Makes the ID of a key.
    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    @usableFromInline static let rowBits: UInt64 = 48

    @inlinable
    init(entity: UInt16, row: Int) {
        rawValue = UInt64(entity) << GameObjectID.rowBits | UInt64(truncatingIfNeeded: row)
    }

    /// The row: the place in every column.
    @inlinable package var row: Int {
        Int(truncatingIfNeeded: rawValue & (1 << GameObjectID.rowBits - 1))
    }

    /// The number of the entity in the upper bits.
    @inlinable package var entity: UInt16 { UInt16(rawValue >> GameObjectID.rowBits) }

    /// Orders IDs by entity, then by age.
    @inlinable
    public static func < (left: GameObjectID, right: GameObjectID) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension GameObjectID: CustomStringConvertible {
    /// The entity number and the row, as in `3/p17`.
    public var description: String { "\(entity)/p\(row)" }
}

extension GameObjectID: LosslessStringConvertible {
    /// The ID that a description is of; nil for another text.
    public init?(_ description: String) {
        let parts = description.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let entity = UInt16(parts[0]), parts[1].first == "p",
            let row = Int(parts[1].dropFirst()), row >= 0, row >> GameObjectID.rowBits == 0
        else { return nil }
        self.init(entity: entity, row: row)
        // One text for each ID: no signs, no zeros in front.
        if self.description != description { return nil }
    }
}

/// IDs are coded as their description.
extension GameObjectID: Codable {
    /// Reads the description of an ID.
    ///
    /// - Throws: `DecodingError` for another text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = GameObjectID(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is no ID such as 3/p17")
        }
        self = id
    }

    /// Writes the description.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The IDs of game objects that were spawned together, ascending.
@frozen
public struct GameObjectIDs: RandomAccessCollection, Sendable, Hashable {
    @usableFromInline let first: UInt64
    /// The number of game objects.
    public let count: Int

    @inlinable
    init(first: GameObjectID, count: Int) {
        self.first = first.rawValue
        self.count = count
    }

    /// Zero.
    @inlinable public var startIndex: Int { 0 }
    /// The number of game objects.
    @inlinable public var endIndex: Int { count }

    /// The ID at a position; traps outside the collection.
    @inlinable
    public subscript(position: Int) -> GameObjectID {
        require(
            position >= 0 && position < count, "no ID at position \(position) of \(count)")
        return GameObjectID(rawValue: first &+ UInt64(position))
    }
}
